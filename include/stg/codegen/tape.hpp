// Training: a recorded call that can be differentiated, and value_and_grad, which does both.
#pragma once

#include <algorithm>  // max
#include <memory>     // make_shared
#include <utility>    // integer_sequence, move
#include <vector>     // vector

#include <stg/base/error.hpp>      // error
#include <stg/codegen/fixed.hpp>   // form_of, prologue
#include <stg/codegen/memory.hpp>  // training_memory
#include <stg/codegen/model.hpp>   // found, call_inputs

namespace stg {

namespace detail {

// Outputs that bring a cotangent: those of a real type, told by position.
template <class Ref> constexpr int real_output_count() {
  int n = 0;
  for (int k = 0; k < canonical<Ref>::value.output_count; ++k) n += is_differentiable(output_statement<Ref>(k).type);
  return n;
}
template <class Ref> constexpr int real_output(int k) {
  for (int at = 0; at < canonical<Ref>::value.output_count; ++at)
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

/// The entries whose gradients are made: those of the given symbols, or of all trainable inputs.
template <class Ref, class... Symbol> struct wanted_entries {
  using type = std::integer_sequence<int, entry_of<Ref>(Symbol::name::view())...>;
};
template <class Ref> struct wanted_entries<Ref> { using type = trainable_entries<Ref>; };

/// Whether an input exists, and whether a provided output depends on it differentiably.
enum class gradient_finding : int {
  none,
  no_such_input,
  no_gradient,
  sparse_input,
  nothing_trainable,
  output_is_not_real,
  passes_sign,
  passes_floor,
  passes_ceil,
  passes_round,
  passes_divisor_of_fmod
};
/// What is found where a gradient would have to pass through an operation that refuses it.
constexpr gradient_finding refused(ir::opcode by) {
  switch (by) {
    case ir::opcode::sign:
      return gradient_finding::passes_sign;
    case ir::opcode::floor:
      return gradient_finding::passes_floor;
    case ir::opcode::ceil:
      return gradient_finding::passes_ceil;
    case ir::opcode::round:
      return gradient_finding::passes_round;
    default:
      return gradient_finding::passes_divisor_of_fmod;
  }
}
template <class Ref, class Provided, int... Entry>
constexpr gradient_finding find_gradient_mistake(std::integer_sequence<int, Entry...>) {
  if constexpr (sizeof...(Entry) == 0) return gradient_finding::nothing_trainable;
  const int entries[] = {Entry..., -1};
  const ir::program p = canonical<Ref>::value.thaw();
  for (std::size_t e = 0; e < sizeof...(Entry); ++e) {
    if (entries[e] < 0) return gradient_finding::no_such_input;
    if (p.inputs[static_cast<std::size_t>(entries[e])].sparse) return gradient_finding::sparse_input;
    const int at = statement_of_input<Ref>(entries[e]);
    if (at < 0 || !is_differentiable(p[at].type)) return gradient_finding::no_gradient;
    const ir::value_id by = pass::refused_by(p, Provided::list(), std::vector<ir::value_id>{at});
    if (by != ir::no_value) return refused(p[by].code);
    const ir::flags reached = pass::detail::depends_on(p, std::vector<ir::value_id>{at});
    bool any = false;
    for (int k : Provided::list())
      any = any || reached[static_cast<std::size_t>(p.outputs[static_cast<std::size_t>(k)].at)];
    if (!any) return gradient_finding::no_gradient;
  }
  return gradient_finding::none;
}

/// Everything that one training call of a program owns and knows. Ref: a program, or a form of it in which inputs are
/// fixed.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class recorded_call {
  using bound = bound_program_t<Ref>;

 public:
  using memory = training_memory<Ref, Provided, Entries, Backend>;
  using pair = typename memory::pair;
  using F = typename memory::F;
  using G = typename memory::G;
  using outputs = outputs_t<Ref>;
  using gradients = typename input_set<Ref, Entries>::type;

  explicit recorded_call(const Backend& on = Backend()) : backend_(on) {}

  /// Runs the forward program. The arena is kept until the recording goes.
  template <class... Arg>
  void forward(const graph& on, block_of<Backend>& block, const kept_store& kept, std::uint64_t seed,
               std::uint32_t call, const Arg&... args) {
    graph_ = on;
    (inputs_.take(args), ...);
    bind_inputs(view_of(canonical<bound>::value), graph_,
                {inputs_.bound, static_cast<std::size_t>(canonical<bound>::value.input_count)},
                {extents_, static_cast<std::size_t>(canonical<bound>::value.extent_count)}, backend_.place());
    check_edge_ids(view_of(F::program), graph_.edges());
    check_edge_ids(view_of(G::program), graph_.edges());
    memory_ = memory(sizes(), backend_);
    once_.measure(backend_, sizes());
    const std::int64_t working = (std::max(memory_.bytes(), once_.working_bytes()) + 15) / 16 * 16;
    block.reserve(working + backend_.bytes_of_numbers(inputs_.count));
    backend_.bring_numbers({inputs_.bound, static_cast<std::size_t>(inputs_.count)}, block.data() + working);
    once_.run(backend_, kept, graph_, sizes(), inputs_, block.data());
    memory_.head.point(block.data());
    memory_.tail.point(block.data());
    for (int i = 0; i < F::program.size; ++i)
      if (F::program.statements[i].code == ir::opcode::input)
        memory_.head.memory[i] = input_memory(static_cast<int>(F::program.statements[i].attribute));
    codegen::launch& l = memory_.launch;
    l.in = graph_.in_edges();
    l.out = graph_.out_edges();
    l.memory = memory_.head.memory;
    l.workspace = block.data() + memory_.buffers;
    l.seed = seed;
    l.call = call;
    backend_.template run<F>(l);
  }

  /// Where labels lie on a device, `number_at` errors from now on when one is none of its classes.
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
    for (int i = 0; i < G::program.size; ++i) {
      if (G::program.statements[i].code != ir::opcode::input) continue;
      const pass::connection from = pair::connections.at[G::program.statements[i].attribute];
      if (from.kind == pass::connection_kind::input) memory_.tail.memory[i] = input_memory(from.index);
      else if (from.kind == pass::connection_kind::saved) memory_.tail.memory[i] = memory_.head.output(from.index);
      else memory_.tail.memory[i] = const_cast<std::byte*>(cotangents[position_of(from.index)]);
    }
    memory_.launch.memory = memory_.tail.memory;
    backend_.template run<G>(memory_.launch);
    memory_.copy_callers(memory_.launch.workspace - memory_.buffers, backend_);
  }

  outputs output_views() { return views(std::make_integer_sequence<int, outputs::count>()); }
  gradients gradient_views() { return gradient_views(Entries(), std::make_integer_sequence<int, gradients::count>()); }

  const graph& on() const { return graph_; }
  location place() const { return backend_.place(); }
  const std::int64_t* extents() const { return extents_; }
  std::int64_t planned_bytes() const { return once_.kept_bytes() + std::max(memory_.bytes(), once_.working_bytes()); }
  template <int K> dimensions output_shape() const { return shape_of_value(output_statement<Ref>(K), sizes()); }

 private:
  call_sizes sizes() const { return sizes_of(graph_, extents_); }
  std::byte* input_memory(int entry) const { return once_.input(inputs_, entry); }
  /// Where an output stands among the cotangents.
  static constexpr int position_of(int output) {
    return position_in(output, typename provided_positions<Provided>::sequence());
  }
  template <int... K> static constexpr int position_in(int output, std::integer_sequence<int, K...>) {
    int at = -1, i = 0;
    ((at = K == output ? i : at, ++i), ...);
    return at;
  }

  template <int... K> outputs views(std::integer_sequence<int, K...>) {
    outputs results;
    ((results.template get<K>() = view_in<output_statement<Ref>(K).where, element_t<output_statement<Ref>(K).type>>(
          memory_.head.output(K), output_shape<K>(), backend_.place())),
     ...);
    return results;
  }
  template <int... Entry, int... K>
  gradients gradient_views(std::integer_sequence<int, Entry...>, std::integer_sequence<int, K...>) {
    gradients g;
    ((g.template get<K>() = view_in<input_statement<Ref, Entry>().where, element_t<input_statement<Ref, Entry>().type>>(
          memory_.tail.output(K), shape_of_value(input_statement<Ref, Entry>(), sizes()), backend_.place())),
     ...);
    return g;
  }

  graph graph_ = graph::from_edges(0, std::span<const std::int64_t>(), std::span<const std::int64_t>());
  call_inputs<bound> inputs_{};
  std::int64_t extents_[canonical<bound>::value.extent_count + 1]{};
  memory memory_{};
  prologue<Ref, Backend> once_{};
  Backend backend_;
};

}  // namespace detail

/// A recorded training call: its graph, its bindings, its random numbers, and the memory of what it saved. Any number
/// may be alive and they may be differentiated in any order. Bound tensors are referred to and must outlive the tape.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class tape {
  using call = detail::recorded_call<Ref, Provided, Entries, Backend>;

 public:
  template <class... Arg>
  tape(const Backend& backend, std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool, const kept_store& kept,
       const graph& on, std::uint64_t seed, std::uint32_t number, const Arg&... args)
      : block_(std::move(pool)), call_(std::make_unique<call>(backend)) {
    call_->forward(on, block_, kept, seed, number, args...);
  }

  /// The program's outputs, as views of the tape's memory.
  auto outputs() { return call_->output_views(); }
  /// One output: `tape.output<0>()`.
  template <int K = 0> auto output() {
    auto all = call_->output_views();
    return std::move(all.template get<K>());
  }

  /// Gradients for cotangents of the real outputs, one each, in their order and of their shapes. Views of the tape's
  /// memory, indexed by symbol. Once per tape: saved values are overwritten. Error when called again, or for a wrong
  /// shape.
  template <class... Cotangent> auto backward(const Cotangent&... cotangents) {
    using positions = typename detail::provided_positions<Provided>::sequence;
    static_assert(sizeof...(Cotangent) == positions::size(),
                  "stg: backward takes one cotangent for each real output, in their order");
    if (differentiated_) throw error("a tape is differentiated once; record the call again");
    check(positions(), cotangents...);
    differentiated_ = true;
    const std::byte* data[] = {reinterpret_cast<const std::byte*>(data_of(cotangents))..., nullptr};
    call_->backward(data);
    return call_->gradient_views();
  }

  /// Bytes of memory that the plan gives to the tape, forward and backward together.
  std::int64_t bytes() const { return call_->planned_bytes(); }

 private:
  template <class T> static const void* data_of(const T& cotangent) {
    if constexpr (requires { cotangent.values(); }) return cotangent.values().data();
    else return cotangent.data();
  }
  template <int... K, class... Cotangent>
  void check(std::integer_sequence<int, K...>, const Cotangent&... cotangents) const {
    (check_one<K>(cotangents), ...);
  }
  template <int K, class T> void check_one(const T& cotangent) const {
    using wanted =
        detail::tensor_in<detail::output_statement<Ref>(K).where, element_t<detail::output_statement<Ref>(K).type>>;
    static_assert(std::is_same_v<T, wanted>,
                  "stg: a cotangent has the tensor type of its output; edge outputs take edge values");
    if constexpr (requires { cotangent.values(); }) check_shape<K>(cotangent.values().shape());
    else check_shape<K>(cotangent.shape());
    check_place("cotangent of output " + std::to_string(K), "cotangent", cotangent.place(), call_->place());
  }
  template <int K> void check_shape(const dimensions& given) const {
    const dimensions wanted = call_->template output_shape<K>();
    if (!(given == wanted))
      throw error("cotangent of output " + std::to_string(K) + " has shape " + to_string(given) + "; the output has " +
                  to_string(wanted));
  }

  detail::block_of<Backend> block_;
  std::unique_ptr<call> call_;
  bool differentiated_ = false;
};

#define STG_CHECK_FIXED(Ref, Entries, Arg)                     \
  static_assert(!detail::fixes_required<Ref, Entries, Arg...>, \
                "stg: an input is fixed and a gradient is made for it; bind it as name = tensor")

/// A program compiled for training: records calls. Gradients are made for all trainable inputs, or for the given
/// symbols.
template <class Ref, class Provided, class Entries, class Backend = default_backend> class trainer {
 public:
  explicit trainer(const Backend& on = Backend()) : backend_(on), pool_(detail::pool_on(on)) {}

  /// Seed of the random numbers; calls are numbered from 0 again.
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// Runs the program in training: dropout draws anew in every call. Returns a tape.
  ///
  ///   auto tape  = layer.record(graph, h = H, el = EL, er = ER);
  ///   auto grads = tape.backward(dOut);
  ///   use(grads[h]);
  template <class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  auto record(const graph& on, const Arg&... args) {
    STG_CHECK_BINDINGS(Finding);
    if constexpr (std::is_same_v<Finding, all_inputs_bound>) {
      STG_CHECK_FIXED(Ref, Entries, Arg);
      if constexpr (!detail::fixes_required<Ref, Entries, Arg...>)
        return tape<detail::form_of<Ref, true, Arg...>, Provided, Entries, Backend>(backend_, pool_, kept_, on, seed_,
                                                                                    calls_++, args...);
    }
  }
  /// How often a prologue ran: once for fixed inputs that stay the same.
  std::uint64_t prologue_runs() const { return kept_.runs(); }
  /// The contents of fixed inputs have changed: the next call computes anew what it keeps.
  void forget_fixed() { kept_.forget(); }

 private:
  Backend backend_;
  std::shared_ptr<basic_arena_pool<typename Backend::arena>> pool_;
  kept_store kept_;
  std::uint64_t seed_ = 0;
  std::uint32_t calls_ = 0;
};

/// What a step of value_and_grad gives: the loss, all outputs, and gradients indexed by symbol. Views, valid until the
/// next step.
template <class T, class Outputs, class Gradients> struct step_result {
  T loss;
  Outputs outputs;
  Gradients gradients;
};

/// A loss compiled for training: forward and gradient in one call. Its memory is allocated by the first step.
template <class Ref, class Entries, class Backend = default_backend> class training_step {
  template <class Form> using call_of = detail::recorded_call<Form, provided<0>, Entries, Backend>;
  using T = element_t<detail::output_statement<Ref>(0).type>;

 public:
  explicit training_step(const Backend& on = Backend()) : backend_(on), block_(detail::pool_on(on)) {}

  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// loss and gradients: `auto [loss, outputs, grads] = step(graph, x = X, label = Y, params);`
  template <class... Arg, class Finding = detail::finding_of<Ref, Arg...>>
  auto operator()(const graph& on, const Arg&... args) {
    STG_CHECK_BINDINGS(Finding);
    if constexpr (std::is_same_v<Finding, all_inputs_bound>) {
      STG_CHECK_FIXED(Ref, Entries, Arg);
      if constexpr (!detail::fixes_required<Ref, Entries, Arg...>) {
        using call = call_of<detail::form_of<Ref, true, Arg...>>;
        call& now = in_form<call>();
        now.forward(on, block_, kept_, seed_, calls_++, args...);
        now.look_at_labels();
        bytes_ = now.planned_bytes();
        const std::byte* cotangent = backend_.template one<T>();
        now.backward(&cotangent);
        auto outputs = now.output_views();
        const T loss = backend_.number_at(outputs.template get<0>().data());
        return step_result<T, decltype(outputs), typename call::gradients>{loss, std::move(outputs),
                                                                           now.gradient_views()};
      }
    }
  }
  /// Bytes of memory that the plan gives to the step last made.
  std::int64_t bytes() const { return bytes_; }
  /// How often a prologue ran: once for fixed inputs that stay the same.
  std::uint64_t prologue_runs() const { return kept_.runs(); }
  /// The contents of fixed inputs have changed: the next step computes anew what it keeps.
  void forget_fixed() { kept_.forget(); }

 private:
  /// The call of a form. One is there at a time: steps of a loop bind the same inputs as fixed.
  template <class Call> Call& in_form() {
    static constexpr char tag = 0;
    if (form_ != &tag) {
      call_ = std::shared_ptr<Call>(new Call(backend_));
      form_ = &tag;
    }
    return *static_cast<Call*>(call_.get());
  }

  Backend backend_;
  detail::block_of<Backend> block_;
  kept_store kept_;
  std::shared_ptr<void> call_;
  const void* form_ = nullptr;
  std::uint64_t seed_ = 0;
  std::uint32_t calls_ = 0;
  std::int64_t bytes_ = 0;
};

#define STG_CHECK_GRADIENTS(finding)                                                                   \
  static_assert(finding != detail::gradient_finding::no_such_input,                                    \
                "stg: a gradient is asked for an input that the program does not read");               \
  static_assert(finding != detail::gradient_finding::no_gradient,                                      \
                "stg: an input has no gradient; no real output depends on it differentiably");         \
  static_assert(finding != detail::gradient_finding::sparse_input,                                     \
                "stg: a sparse feature has no gradient; declare what is trained as a vertex_feature"); \
  static_assert(finding != detail::gradient_finding::nothing_trainable,                                \
                "stg: nothing is trainable; use a parameter, or trainable(...), or name the inputs");  \
  static_assert(finding != detail::gradient_finding::passes_sign,                                      \
                "stg: a gradient would pass through sign, which has none; write sign(detach(x))");     \
  static_assert(finding != detail::gradient_finding::passes_floor,                                     \
                "stg: a gradient would pass through floor, which has none; write floor(detach(x))");   \
  static_assert(finding != detail::gradient_finding::passes_ceil,                                      \
                "stg: a gradient would pass through ceil, which has none; write ceil(detach(x))");     \
  static_assert(finding != detail::gradient_finding::passes_round,                                     \
                "stg: a gradient would pass through round, which has none; write round(detach(x))");   \
  static_assert(finding != detail::gradient_finding::passes_divisor_of_fmod,                           \
                "stg: a gradient would pass through fmod's divisor; write fmod(x, detach(y))")

namespace detail {

template <const auto& F, const auto&... Wrt, class Backend> auto checked_trainer(const Backend& on) {
  using Ref = program_of<F>;
  using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
  using outputs = all_real_outputs<Ref>;
  static_assert(found<Ref>.what == op::rule::none, "stg: the program breaks a rule; stg::compile<...>() says which");
  constexpr auto finding = find_gradient_mistake<Ref, outputs>(entries());
  STG_CHECK_GRADIENTS(finding);
  if constexpr (finding == gradient_finding::none) return trainer<Ref, outputs, entries, Backend>(on);
  else return mistake();
}

template <const auto& F, const auto&... Wrt, class Backend> auto checked_step(const Backend& on) {
  using Ref = program_of<F>;
  using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
  constexpr ir::statement loss = output_statement<Ref>(0);
  constexpr bool is_loss = loss.where == ir::space::graph && is_real(loss.type) && loss.dims.is_scalar();
  static_assert(found<Ref>.what == op::rule::none, "stg: the program breaks a rule; stg::compile<...>() says which");
  static_assert(is_loss,
                "stg: value_and_grad takes a loss: one real number for the graph, such as sum(x, all_vertices)");
  constexpr auto finding = find_gradient_mistake<Ref, provided<0>>(entries());
  STG_CHECK_GRADIENTS(finding);
  if constexpr (is_loss && finding == gradient_finding::none) return training_step<Ref, entries, Backend>(on);
  else return mistake();
}

}  // namespace detail

/// Compiles a program for training with tapes: `auto layer = stg::compile_for_training<gat>();`, or with the inputs
/// whose gradients are wanted, `stg::compile_for_training<gat, h, el>()`.
template <const auto& F, const auto&... Wrt> auto compile_for_training() {
  return detail::checked_trainer<F, Wrt...>(default_backend());
}

/// Compiles a loss, one real number as the first output, into a step that returns it with its gradients: for all
/// trainable inputs, or for the given symbols: `stg::value_and_grad<loss, W1, x>()`.
template <const auto& F, const auto&... Wrt> auto value_and_grad() {
  return detail::checked_step<F, Wrt...>(default_backend());
}

}  // namespace stg
