// Training: a recorded call that can be differentiated, and value_and_grad, which does both.
#pragma once

#include <memory>   // make_shared
#include <utility>  // integer_sequence, move

#include <stg/base/error.hpp>             // error
#include <stg/codegen/fixed.hpp>          // form_of
#include <stg/codegen/recorded_call.hpp>  // recorded_call

namespace stg {

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
    if constexpr (requires { cotangent.values(); }) {
      check_shape<K>(cotangent.values().shape());
      check_edges("cotangent of output " + std::to_string(K), "cotangent", cotangent.edge_identity(), call_->on());
    } else {
      check_shape<K>(cotangent.shape());
    }
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

  /// Seed of the random numbers, at first 0; calls are numbered from 0 again, so that they repeat what they drew.
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// Runs the program in training: dropout draws anew in every call, by the call's number. Returns a tape. Errors:
  /// those of bind_inputs, more edges than check_edge_ids allows, and memory that is not to be had; a call that throws
  /// has taken a number all the same. One call at a time, since it counts them; tapes that exist may be differentiated
  /// in other threads meanwhile.
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
/// next step, whether that succeeds or throws, and while the training_step lives.
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
  explicit training_step(const Backend& runs = Backend()) : backend_(runs), block_(detail::pool_on(runs)) {}

  /// Seed of the random numbers, at first 0; steps are numbered from 0 again, so that they repeat what they drew.
  void seed(std::uint64_t s) {
    seed_ = s;
    calls_ = 0;
  }
  /// The loss, all outputs and the gradients: a step_result. Dropout draws anew in every step, by the step's number.
  /// Errors: those of bind_inputs, more edges than check_edge_ids allows, memory that is not to be had, and on a device
  /// labels outside of their classes. After one the step can be called again; what a step before it gave may have been
  /// overwritten, and the number is taken. One call at a time, unlike a model's: steps share their memory and are
  /// counted. Threads that train at a time have a training_step each.
  ///
  ///   auto [loss, outputs, grads] = step(graph, x = X, label = Y, params);
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

#define STG_CHECK_GRADIENTS(mistake)                                                                   \
  static_assert(mistake.what != detail::gradient_finding::no_such_input,                               \
                "stg: a gradient is asked for an input that the program does not read");               \
  static_assert(mistake.what != detail::gradient_finding::no_gradient,                                 \
                "stg: an input has no gradient; no real output depends on it differentiably");         \
  static_assert(mistake.what != detail::gradient_finding::sparse_input,                                \
                "stg: a sparse feature has no gradient; declare what is trained as a vertex_feature"); \
  static_assert(mistake.what != detail::gradient_finding::nothing_trainable,                           \
                "stg: nothing is trainable; use a parameter, or trainable(...), or name the inputs");  \
  [[maybe_unused]] detail::refusal_of<mistake.by, mistake.what == detail::gradient_finding::is_refused> said

namespace detail {

/// What the operation says that refuses; of others nothing.
struct nothing_refused {};
template <ir::opcode By, bool Refuses> struct refusal_by { using type = nothing_refused; };
template <ir::opcode By> struct refusal_by<By, true> {
  using type = typename op::of_code_t<By>::template refusal<true>;
};
template <ir::opcode By, bool Refuses> using refusal_of = typename refusal_by<By, Refuses>::type;

template <const auto& F, const auto&... Wrt, class Backend> auto checked_trainer(const Backend& on) {
  using Ref = program_of<F>;
  using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
  using outputs = all_real_outputs<Ref>;
  static_assert(found<Ref>.what == op::rule::none, "stg: the program breaks a rule; stg::compile<...>() says which");
  constexpr gradient_mistake found_mistake = find_gradient_mistake<Ref, outputs>(entries());
  STG_CHECK_GRADIENTS(found_mistake);
  if constexpr (found_mistake.what == gradient_finding::none) return trainer<Ref, outputs, entries, Backend>(on);
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
  constexpr gradient_mistake found_mistake = find_gradient_mistake<Ref, provided<0>>(entries());
  STG_CHECK_GRADIENTS(found_mistake);
  if constexpr (is_loss && found_mistake.what == gradient_finding::none)
    return training_step<Ref, entries, Backend>(on);
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
