// Calls of programs that are values.
#include <stg/call/runnable.hpp>

#include <cstdint>      // uint32_t, uint64_t
#include <string>       // string, to_string
#include <type_traits>  // remove_cvref_t
#include <utility>      // move

#include <stg/analysis/reads_edges.hpp>   // readings_of_step_graphs
#include <stg/analysis/verify.hpp>        // verify
#include <stg/base/error.hpp>             // error
#include <stg/call/inputs_by_name.hpp>    // bind_by_name, spelled
#include <stg/call/memory.hpp>            // launch_for, pool_on
#include <stg/call/recorded_call.hpp>     // find_gradient_mistake
#include <stg/codegen/draft/backend.hpp>  // draft
#include <stg/codegen/draft/plan.hpp>     // run, workspace
#include <stg/codegen/frame.hpp>          // call_sizes, measure
#include <stg/ir/lines.hpp>               // mistake_words
#include <stg/pipeline.hpp>               // canonical
#include <stg/runtime/kinds.hpp>          // find_kinds

#include "../codegen/with_type.hpp"  // with_element

namespace stg {

namespace {

/// The entry of a name among inputs, or -1.
int entry_named(const ir::program& p, std::string_view name) {
  for (int e = 0; e < p.inputs.size(); ++e)
    if (p.inputs[e].name.view() == name) return e;
  return -1;
}
/// The program with a name for each input, by which it is found once passes have renumbered them: `#5`.
ir::program with_names(ir::program p) {
  for (int e = 0; e < p.inputs.size(); ++e) {
    if (p.inputs[e].name.length > 0) continue;
    text name("#");
    name.append_number(static_cast<std::uint64_t>(e));
    while (entry_named(p, name.view()) >= 0) name.append('_');
    p.inputs[e].name = name;
  }
  return p;
}

/// The mistake that the program or a callee notes of its lambda.
ir::mistake mistake_of(const ir::program& p) {
  ir::mistake found = p.wrong;
  for (const ir::program& step : p.callees)
    if (found == ir::mistake::none) found = mistake_of(step);
  return found;
}

const ir::program& checked(const ir::program& p) {
  if (const ir::mistake found = mistake_of(p); found != ir::mistake::none)
    throw error("a program to be run is of a lambda with a mistake: " +
                std::string(ir::detail::mistake_words[static_cast<int>(found)]));
  if (const pass::finding wrong = pass::verify(p); wrong.what != op::rule::none)
    throw error("a program to be run breaks a rule of programs" +
                (wrong.at == ir::no_value ? "" : " at value %" + std::to_string(wrong.at)) +
                "; see stg::pass::verify(p)");
  return p;
}

any_tensor allocated(scalar_type type, const dimensions& shape) {
  any_tensor made;
  codegen::with_element(type, [&](auto element) { made = tensor<decltype(element)>::for_overwrite(shape); });
  return made;
}
std::byte* data_of(any_tensor& of) {
  return std::visit([](auto& t) { return reinterpret_cast<std::byte*>(t.data()); }, of);
}

}  // namespace

namespace run {

/// A program that was asked for, in canonical form, and what a call of it binds.
struct called_program {
  explicit called_program(const ir::program& p) : asked(with_names(checked(p))), program(pipeline::canonical(asked)) {}

  std::vector<bound_input> bind(std::span<const program_input> inputs) const;

  ir::program asked;    // as it was given
  ir::program program;  // in canonical form, which may have fewer inputs, in another order
};

std::vector<bound_input> called_program::bind(std::span<const program_input> inputs) const {
  std::vector<bound_input> bound(static_cast<std::size_t>(program.inputs.size()));
  detail::bind_by_name({asked.inputs.begin(), asked.inputs.end()}, view_of(program), inputs, bound.data());
  return bound;
}

/// The sizes that inputs give a call, and its graph.
class bound_call {
 public:
  bound_call(const ir::program& p, const call_graph& on, std::span<const bound_input> inputs)
      : on_(on), extents_(room_for(p.extents.size())), kinds_(room_for(p.kinds.size())) {
    step_extents steps;
    const pass::step_graph_readings readings = pass::readings_of_step_graphs(p);
    if (on.steps() != nullptr) {
      if (readings.wrong != pass::graph_mistake::none)
        throw error("a graph_sequence has a graph for each step of a scan; the program reads edges elsewhere, too");
      steps = {readings.steps.data(), readings.steps.size()};
    }
    bind_inputs(view_of(p), on, inputs, {extents_.data(), static_cast<std::size_t>(p.extents.size())}, host, steps);
    find_kinds(view_of(p).kinds, on.outside(), kinds_.data());
    sizes_ = detail::sizes_of(on, extents_.data(), p.kinds.empty() ? nullptr : kinds_.data());
  }
  bound_call(const bound_call&) = delete;
  bound_call& operator=(const bound_call&) = delete;

  /// Runs a planned program of these sizes, whose inputs lie there, by entry. Draws by this seed and number of the
  /// call.
  std::vector<any_tensor> run(const drafts::made_program& made, std::span<const void* const> inputs, std::uint64_t seed,
                              std::uint32_t number, const std::shared_ptr<basic_arena_pool<arena>>& pool) const;

 private:
  call_graph on_;
  std::vector<std::int64_t> extents_;
  std::vector<kind_rows> kinds_;
  detail::call_sizes sizes_{};
};

std::vector<any_tensor> bound_call::run(const drafts::made_program& made, std::span<const void* const> inputs,
                                        std::uint64_t seed, std::uint32_t number,
                                        const std::shared_ptr<basic_arena_pool<arena>>& pool) const {
  const codegen::plan_data& plan = made.data;
  std::vector<std::byte*> memory(room_for(plan.size));
  std::vector<buffer> buffers(static_cast<std::size_t>(plan.size));
  detail::measure(plan, sizes_, 0, buffers);
  std::vector<unsigned char> in_place(static_cast<std::size_t>(plan.output_count));
  detail::find_in_place(plan, buffers, in_place.data());
  const std::int64_t working = place(buffers);
  codegen::launch call = detail::launch_for(draft(), sizes_);
  call.others.columns = &codegen::columns_of_drafts;
  basic_pooled_arena<arena> block(pool);
  block.reserve(working + drafts::workspace(made, call));

  for (int i = 0; i < plan.size; ++i) {
    const ir::statement& s = plan.statements[i];
    const std::size_t at = static_cast<std::size_t>(i);
    if (s.code == ir::opcode::input)
      memory[at] = static_cast<std::byte*>(const_cast<void*>(inputs[static_cast<std::size_t>(s.entry())]));
    else if (plan.stored[i]) memory[at] = block.data() + buffers[at].offset;
  }
  std::vector<any_tensor> results;
  for (int k = 0; k < plan.output_count; ++k) {
    const ir::statement& s = plan.statements[plan.outputs[k].at];
    results.push_back(allocated(s.type, detail::shape_of_value(s, sizes_)));
    if (in_place[static_cast<std::size_t>(k)])
      memory[static_cast<std::size_t>(plan.root(plan.outputs[k].at))] = data_of(results.back());
  }
  check_edge_ids(view_of(made.program), most_edges(on_.outside()));
  detail::go_over(on_, call);
  call.memory = memory.data();
  call.resources.workspace = block.data() + working;
  call.draws.seed = seed;
  call.draws.number = number;
  codegen::meet(plan, call);
  drafts::run(made, call);
  for (int k = 0; k < plan.output_count; ++k) {
    const int root = plan.root(plan.outputs[k].at);
    if (!in_place[static_cast<std::size_t>(k)])
      draft::copy(data_of(results[static_cast<std::size_t>(k)]), memory[static_cast<std::size_t>(root)],
                  detail::bytes_of_value(plan.statements[root], sizes_));
  }
  return results;
}

}  // namespace run

namespace {

/// Where inputs lie, by entry.
std::vector<const void*> places_of(std::span<const bound_input> inputs) {
  std::vector<const void*> all;
  for (const bound_input& in : inputs) all.push_back(in.data);
  return all;
}

/// The entries of the inputs of these names; of all that are trainable where none is named.
sequence<int> entries_of(const ir::program& p, std::span<const std::string_view> names) {
  sequence<int> entries;
  for (const std::string_view name : names) {
    const int entry = entry_named(p, name);
    if (entry < 0) throw error("the program has no input '" + std::string(name) + "' to be differentiated for");
    entries.push_back(entry);
  }
  for (const ir::statement& s : p.statements)
    if (names.empty() && s.code == ir::opcode::input && p.inputs[s.entry()].trainable) entries.push_back(s.entry());
  return entries;
}

const ir::program& checked_loss(const ir::program& p) {
  const ir::statement* const loss = p.outputs.empty() ? nullptr : &p[p.outputs[0].at];
  if (loss == nullptr || loss->where != ir::space::graph || !is_real(loss->type) || !loss->dims.is_scalar() ||
      loss->is_sequence())
    throw error("a program that is trained has a loss as its first output: one real number for the graph");
  return p;
}

}  // namespace

struct runnable::state : run::called_program {
  explicit state(const ir::program& p) : called_program(p), made(drafts::inferred(program)) {}

  drafts::made_program made;
  std::shared_ptr<basic_arena_pool<arena>> pool = detail::pool_on(draft());
};

runnable::runnable(const ir::program& p) : state_(std::make_shared<const state>(p)) {}

const ir::program& runnable::planned() const { return state_->made.program; }

std::vector<any_tensor> runnable::operator()(const call_graph& on, std::span<const program_input> inputs) const {
  const std::vector<bound_input> bound = state_->bind(inputs);
  return run::bound_call(state_->program, on, bound).run(state_->made, places_of(bound), 0, 0, state_->pool);
}

struct runnable_step::state : run::called_program {
  state(const ir::program& p, std::span<const std::string_view> wanted)
      : called_program(p),
        entries(entries_of(checked_loss(program), wanted)),
        made(checked_gradients(), sequence<int>{0}, entries) {}
  /// Errors where an input has no gradient.
  const ir::program& checked_gradients() const;

  sequence<int> entries;  // of the inputs that gradients are made for
  drafts::made_step made;
  std::shared_ptr<basic_arena_pool<arena>> pool = detail::pool_on(draft());
};

const ir::program& runnable_step::state::checked_gradients() const {
  using detail::gradient_finding;
  switch (const detail::gradient_mistake wrong = detail::find_gradient_mistake(program, {0}, entries); wrong.what) {
    case gradient_finding::nothing_trainable:
      throw error("nothing of the program is trainable; name the inputs whose gradients are wanted");
    case gradient_finding::sparse_input:
      throw error("a sparse input has no gradient; ask for those of others");
    case gradient_finding::is_refused:
      throw error("a gradient would pass through " + std::string(name_of(wrong.by)) + ", which has none");
    case gradient_finding::no_such_input:
    case gradient_finding::no_gradient:
      throw error("an input has no gradient; the loss does not depend on it differentiably");
    case gradient_finding::none:
      break;
  }
  return program;
}

runnable_step::runnable_step(const ir::program& p, std::initializer_list<std::string_view> wanted)
    : state_(std::make_shared<const state>(p, std::span<const std::string_view>(wanted.begin(), wanted.size()))) {}

runnable_step::result runnable_step::operator()(const call_graph& on, std::span<const program_input> inputs) {
  const std::vector<bound_input> bound = state_->bind(inputs);
  const run::bound_call call(state_->program, on, bound);
  const std::uint32_t number = calls_++;
  std::vector<any_tensor> made = call.run(state_->made.forward, places_of(bound), seed_, number, state_->pool);

  any_tensor one;
  std::visit(
      [&](const auto& loss) {
        using T = typename std::remove_cvref_t<decltype(loss)>::value_type;
        one = tensor<T>::full({}, T(1));
      },
      made[0]);
  std::vector<const void*> read;
  for (const pass::connection& from : state_->made.connections) {
    if (from.kind == pass::connection_kind::input) read.push_back(bound[static_cast<std::size_t>(from.index)].data);
    else if (from.kind == pass::connection_kind::saved)
      read.push_back(data_of(made[static_cast<std::size_t>(from.index)]));
    else read.push_back(data_of(one));
  }
  std::vector<any_tensor> gradients = call.run(state_->made.gradient, read, seed_, number, state_->pool);

  result all;
  all.loss = std::visit([](const auto& loss) { return static_cast<double>(loss.data()[0]); }, made[0]);
  made.resize(static_cast<std::size_t>(state_->program.outputs.size()));
  all.outputs = std::move(made);
  for (int k = 0; k < state_->entries.size(); ++k)
    all.gradients.emplace(state_->program.inputs[state_->entries[k]].name.view(),
                          std::move(gradients[static_cast<std::size_t>(k)]));
  return all;
}

namespace {

bool reads(const ir::program& p, const program_input& in) {
  return detail::entry_among({p.inputs.begin(), p.inputs.end()}, in) >= 0;
}

}  // namespace

runnable_parts::runnable_parts(const examine::partitioned& of) : cut(of) {
  for (const examine::part& one : cut.parts) parts.emplace_back(one.program);
}

std::vector<any_tensor> runnable_parts::operator()(const call_graph& on, std::span<const program_input> inputs) const {
  for (const program_input& in : inputs) {
    bool is_known = false;
    for (const examine::part& one : cut.parts) is_known = is_known || (in.entry < 0 && reads(one.program, in));
    if (!is_known)
      throw error("no part of the program has " + detail::spelled(in) + "; give what the parts read, by name");
  }
  std::vector<std::vector<any_tensor>> made;
  for (int k = 0; k < cut.parts.size(); ++k) {
    const ir::program& p = cut.parts[k].program;
    std::vector<program_input> read;
    for (const program_input& in : inputs)
      if (reads(p, in)) read.push_back(in);
    for (const int needed : cut.parts[k].needs) {
      const sequence<ir::output>& given = cut.parts[needed].program.outputs;
      for (int o = 0; o < given.size(); ++o) {
        const program_input in(given[o].name.view(),
                               made[static_cast<std::size_t>(needed)][static_cast<std::size_t>(o)]);
        if (reads(p, in)) read.push_back(in);
      }
    }
    made.push_back(parts[static_cast<std::size_t>(k)](on, read));
  }
  std::vector<any_tensor> results;
  for (const examine::part_output& o : cut.outputs)
    results.push_back(std::visit([](const auto& t) { return any_tensor(t.clone()); },
                                 made[static_cast<std::size_t>(o.part)][static_cast<std::size_t>(o.output)]));
  return results;
}

}  // namespace stg
