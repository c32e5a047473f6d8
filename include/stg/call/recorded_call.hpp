// One training call: its gradients, and all its memory and state.
#pragma once

#include <utility>  // integer_sequence
#include <vector>   // vector

#include <stg/base/larger.hpp>         // larger
#include <stg/call/call_inputs.hpp>    // call_inputs, held_inputs
#include <stg/call/called_on.hpp>      // steps_of_call
#include <stg/call/fixed.hpp>          // prologue
#include <stg/call/memory.hpp>         // training_memory
#include <stg/call/model.hpp>          // found
#include <stg/codegen/part_calls.hpp>  // meet, agree_on_messages
#include <stg/runtime/kinds.hpp>       // kinds_of_call, most_edges

namespace stg::detail {

// Outputs that bring a cotangent: those of a real type, told by position.
template <class Ref> constexpr int real_output_count() {
  int n = 0;
  for (int k = 0; k < canonical<Ref>::value.room.outputs; ++k) n += is_differentiable(output_statement<Ref>(k).type);
  return n;
}
template <class Ref> constexpr int real_output(int k) {
  for (int at = 0; at < canonical<Ref>::value.room.outputs; ++at)
    if (is_differentiable(output_statement<Ref>(at).type) && k-- == 0) return at;
  return -1;
}
template <class Ref, int... K> constexpr auto real_outputs(std::integer_sequence<int, K...>) {
  return provided<real_output<Ref>(K)...>();
}
template <class Ref>
using all_real_outputs = decltype(real_outputs<Ref>(std::make_integer_sequence<int, real_output_count<Ref>()>()));

template <class Provided> struct provided_positions;
template <int... K> struct provided_positions<provided<K...>> { using sequence = std::integer_sequence<int, K...>; };

/// Whether all that is asked for is inputs, as gradients are of.
template <class... Wanted> inline constexpr bool are_inputs = (Symbol<Wanted> && ...);
/// The entries whose gradients are made: the given symbols', or all trainable inputs'.
template <class Ref, class... Wanted> struct wanted_entries { using type = trainable_entries<Ref>; };
template <class Ref, class First, class... Wanted>
  requires are_inputs<First, Wanted...>
struct wanted_entries<Ref, First, Wanted...> {
  using type = std::integer_sequence<int, entry_of<Ref>(First::name::view()), entry_of<Ref>(Wanted::name::view())...>;
};

/// Whether an input exists, and whether a provided output depends on it differentiably.
enum class gradient_finding : int { none, no_such_input, no_gradient, sparse_input, nothing_trainable, is_refused };
struct gradient_mistake {
  gradient_finding what = gradient_finding::none;
  ir::opcode by{};  // the operation that refuses
  text name{};      // of the value that forbids the gradient, if one does
};
/// Of a program, positions of outputs and entries of inputs; -1 is no input. Every statement is looked at once, however
/// many inputs there are.
constexpr gradient_mistake find_gradient_mistake(const ir::program& p, const sequence<int>& provided,
                                                 const sequence<int>& entries) {
  if (entries.empty()) return {gradient_finding::nothing_trainable};
  sequence<ir::value_id> statement_of(p.inputs.size(), ir::no_value), required;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && statement_of[p[i].entry()] == ir::no_value) statement_of[p[i].entry()] = i;
  for (int entry : entries) {
    if (entry < 0) return {gradient_finding::no_such_input};
    if (p.inputs[entry].sparse) return {gradient_finding::sparse_input};
    const ir::value_id at = statement_of[entry];
    if (at == ir::no_value || !is_differentiable(p[at].type)) return {gradient_finding::no_gradient};
    required.push_back(at);
  }
  const ir::value_id by = pass::refused_by(p, provided, required);
  if (by != ir::no_value) {
    text name;
    for (const ir::label& l : p.names)
      if (p[l.at].code == ir::opcode::result && p[l.at].operands[0] == by) name = l.name;
    return {gradient_finding::is_refused, p[by].code, name};
  }
  const ir::flags reached = pass::reached_from(p, provided);
  for (ir::value_id at : required)
    if (!reached[at]) return {gradient_finding::no_gradient};
  return {gradient_finding::none};
}
template <class Ref, class Provided, int... Entry>
constexpr gradient_mistake find_gradient_mistake(std::integer_sequence<int, Entry...>) {
  return find_gradient_mistake(canonical<Ref>::value.thaw(), Provided::list(), {Entry...});
}

/// Error if a set that is trained was never initialised, so that all its matrices are zeros.
template <class Arg> void require_initialized(const Arg&) {}
template <class... Named> void require_initialized(const named_values<Named...>& set) {
  if (const std::string_view name = set.not_initialized(); !name.empty()) [[unlikely]]
    not_initialized(name);
}
template <class Set> void require_initialized(const fixed_reference<Set>& set) { require_initialized(set.value); }
template <class Set> void require_initialized(const temporary_set<Set>& set) {
  require_initialized(std::as_const(set.value));
}

/// The memory and state of one training call of a program. Ref: a program, or its form with fixed inputs.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class recorded_call {
  using bound = bound_program_t<Ref>;

 public:
  using memory = training_memory<Ref, Provided, Entries, Backend>;
  using F = typename memory::F;
  using G = typename memory::G;
  using outputs = outputs_t<Ref>;
  using gradients = gradient_set<Ref, Entries>;

  explicit recorded_call(const Backend& on = Backend()) : backend_(on) {}

  /// From now on views of results share in the memory of `holder`, this call's.
  void share_with_views(memory_keeper* holder) { holder_ = holder; }

  /// Holds the shares of the bindings, and takes over temporaries: both live until the inputs are let go.
  template <class... Arg> void hold(const Arg&... args) {
    (held_.take(args, inputs_), ...);
    point_at_inputs();
  }
  void let_inputs_go() noexcept { held_.let_go(is_output); }

  /// The values that the scans of later calls keep.
  void keep(const checkpoints& asked) { keep_ = asked; }

  /// Runs the forward program. The arena is kept until the recording goes.
  template <class... Arg>
  void forward(const call_graph& on, block_of<Backend>& block, const kept_store& kept, std::uint64_t seed,
               std::uint32_t number, const Arg&... args) {
    graph_ = on;
    (require_initialized(args), ...);
    (inputs_.take(args), ...);
    bind_inputs(view_of(canonical<bound>::value), graph_,
                {inputs_.bound, static_cast<std::size_t>(canonical<bound>::value.room.inputs)},
                {extents_, static_cast<std::size_t>(canonical<bound>::value.room.extents)}, backend_.place(),
                steps_of_call<bound>(graph_));
    kinds_for<Ref>::find(kinds_, graph_);
    check_edge_ids(view_of_plan<F>(), most_edges(graph_.outside()));
    check_edge_ids(view_of_plan<G>(), most_edges(graph_.outside()));
    check_no_own_results(view_of(canonical<bound>::value), {inputs_.bound, static_cast<std::size_t>(inputs_.count)},
                         {block.data(), block.capacity()});
    memory_ = memory(sizes(), backend_, memory_.every);
    kept_ = memory_.template kept<true>(backend_);
    once_.measure(backend_, sizes());
    const std::int64_t working = (larger(memory_.bytes(), once_.working_bytes()) + 15) / 16 * 16;
    block.reserve(working + backend_.bytes_of_numbers(inputs_.count));
    backend_.bring_numbers({inputs_.bound, static_cast<std::size_t>(inputs_.count)}, block.data() + working);
    once_.run(backend_, kept, graph_, sizes(), inputs_, block.data());
    memory_.point(block.data());
    point_at_inputs();
    codegen::launch& l = memory_.launch;
    go_over(graph_, l);
    l.memory = memory_.head.memory();
    l.resources.workspace = block.data() + memory_.buffers;
    l.draws.seed = seed;
    l.draws.number = number;
    l.scans.kept = &kept_;
    memory_.show_forward();
    codegen::meet(memory_.head.plan(), l, &memory_.tail.plan());
    backend_.template run<F>(l);
  }

  /// For labels on a device, `number_at` errors from now on if one is none of its classes.
  void look_at_labels() {
    if constexpr (Backend::looks_at_labels) {
      std::vector<bound_labels> all;
      const program_view program = view_of(canonical<bound>::value);
      for (const ir::label_range& range : program.checks)
        if (bound_labels labels = labels_of(program, range, inputs_.bound, extents_, graph_); labels.rows > 0)
          all.push_back(labels);
      backend_.look_at_labels(std::move(all));
    }
  }

  /// Runs the gradient program; cotangents in the order of the provided outputs.
  void backward(const std::byte* const* cotangents) {
    memory_.tail.for_each_input([&](int i, int input) {
      const pass::connection& from = memory::connection(input);
      std::byte*& to = memory_.tail.memory(i);
      if (from.kind == pass::connection_kind::input) to = input_memory(from.index);
      else if (from.kind == pass::connection_kind::saved) to = memory_.head.output(from.index);
      else to = const_cast<std::byte*>(cotangents[position_of(from.index)]);
    });
    memory_.launch.memory = memory_.tail.memory();
    memory_.show_gradient();
    codegen::agree_on_messages(memory_.tail.plan(), memory_.launch);
    backend_.template run<G>(memory_.launch);
    memory_.copy_callers(memory_.launch.resources.workspace - memory_.buffers, backend_);
  }

  outputs output_views() { return views(std::make_integer_sequence<int, outputs::count>()); }
  gradients gradient_views() { return gradient_views(Entries(), std::make_integer_sequence<int, gradients::count>()); }

  const call_graph& on() const { return graph_; }
  location place() const { return backend_.place(); }
  const std::int64_t* extents() const { return extents_; }
  std::int64_t planned_bytes() const { return once_.kept_bytes() + larger(memory_.bytes(), once_.working_bytes()); }
  dimensions output_shape(int k) const { return shape_of_value(output_statement<Ref>(k), sizes()); }

 private:
  call_sizes sizes() const {
    call_sizes n = sizes_of(graph_, extents_, kinds_.rows());
    n.keep = keep_;
    return n;
  }
  std::byte* input_memory(int entry) const { return once_.input(inputs_, entry); }
  void point_at_inputs() {
    memory_.head.for_each_input([&](int i, int entry) { memory_.head.memory(i) = input_memory(entry); });
  }
  /// The position of an output among the cotangents.
  static constexpr int position_of(int output) {
    return position_in(output, typename provided_positions<Provided>::sequence());
  }
  template <int... K> static constexpr int position_in(int output, std::integer_sequence<int, K...>) {
    int at = -1, i = 0;
    ((at = K == output ? i : at, ++i), ...);
    return at;
  }

  /// The input that an output is, -1 for a computed output.
  static int input_of_output(int root) {
    const ir::statement& s = data_of_plan<F>().statements[root];
    return s.code == ir::opcode::input && s.entry() < call_inputs<bound>::count ? s.entry() : -1;
  }
  static bool is_output(int entry) {
    for (int k = 0; k < outputs::count; ++k)
      if (input_of_output(frame<F>::output_root(k)) == entry) return true;
    return false;
  }
  /// The memory of an output that is an input: the input's.
  detail::memory share_of_output(int root) const {
    const int entry = input_of_output(root);
    return entry < 0 ? share_of(holder_) : held_.share(entry, holder_);
  }
  template <int... K> outputs views(std::integer_sequence<int, K...>) {
    outputs results;
    (put_view(results.template get<K>(), memory_.head.output(K), output_shape(K), backend_.place(), graph_,
              share_of_output(frame<F>::output_root(K))),
     ...);
    return results;
  }
  template <int... Entry, int... K>
  gradients gradient_views(std::integer_sequence<int, Entry...>, std::integer_sequence<int, K...>) {
    gradients g;
    const call_sizes n = sizes();
    (put_gradient(g.template get<K>(), memory_.tail.output(K),
                  canonical<Ref>::value.statements[statement_of_input<Ref>(Entry)], n),
     ...);
    return g;
  }
  template <class V>
  [[gnu::noinline]] void put_gradient(V& to, std::byte* data, const ir::statement& of, const call_sizes& n) const {
    put_view(to, data, shape_of_value(of, n), backend_.place(), graph_, share_of(holder_));
  }

  call_graph graph_;
  call_inputs<bound> inputs_{};
  held_inputs<bound> held_{};
  kinds_of_call<canonical<Ref>::value.room.kinds> kinds_;
  std::int64_t extents_[canonical<bound>::value.room.extents + 1]{};
  memory memory_{};
  checkpoints keep_{};
  codegen::kept_steps kept_{};
  prologue<Ref, Backend> once_{};
  Backend backend_;
  memory_keeper* holder_ = nullptr;  // of this call's memory; none if views do not outlive the next call
};

}  // namespace stg::detail
