// compile_for_training and value_and_grad: a lambda becomes a function that trains.
#pragma once

#include <stg/call/tape.hpp>           // trainer
#include <stg/call/training_step.hpp>  // training_step

namespace stg {

/// `wanted`: the types of the template arguments behind the program.
#define STG_WANTS_NO_INPUT \
  "stg: behind the program stand inputs whose gradients are wanted; a pass goes with the program: with<f, pass>"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_WANTED(...) \
  __attribute__((diagnose_if(!(detail::are_inputs<__VA_ARGS__>), STG_WANTS_NO_INPUT, "error")))
#define STG_CHECK_WANTED(...)
#else
#define STG_SAYS_WANTED(...)
#define STG_CHECK_WANTED(...) static_assert(detail::are_inputs<__VA_ARGS__>, STG_WANTS_NO_INPUT)
#endif

/// The rules of gradients, likewise. The mistake comes last, since it has commas.
#define STG_WANTS_ANOTHER_INPUT "stg: a gradient is asked for an input that the program does not read"
#define STG_HAS_NO_GRADIENT "stg: an input has no gradient; no real output depends on it differentiably"
#define STG_WANTS_A_SPARSE_INPUT "stg: a sparse feature has no gradient; declare what is trained as a vertex_feature"
#define STG_TRAINS_NOTHING "stg: nothing is trainable; use a parameter, or trainable(...), or name the inputs"
#define STG_IS_NO_LOSS "stg: value_and_grad takes a loss: one real number for the graph, such as sum(x, all_vertices)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_GRADIENTS(...)                                                                                   \
  __attribute__((                                                                                                 \
      diagnose_if(__VA_ARGS__.what == detail::gradient_finding::no_such_input, STG_WANTS_ANOTHER_INPUT, "error"), \
      diagnose_if(__VA_ARGS__.what == detail::gradient_finding::no_gradient, STG_HAS_NO_GRADIENT, "error"),       \
      diagnose_if(__VA_ARGS__.what == detail::gradient_finding::sparse_input, STG_WANTS_A_SPARSE_INPUT, "error"), \
      diagnose_if(__VA_ARGS__.what == detail::gradient_finding::nothing_trainable, STG_TRAINS_NOTHING, "error")))
#define STG_SAYS_LOSS(...) __attribute__((diagnose_if(!detail::has_loss<__VA_ARGS__>, STG_IS_NO_LOSS, "error")))
#define STG_CHECK_LOSS(Ref)
#define STG_CHECK_GRADIENTS(mistake)                                                                                  \
  [[maybe_unused]] detail::refusal_of<mistake.by, mistake.name, mistake.what == detail::gradient_finding::is_refused> \
      said
#else
#define STG_SAYS_GRADIENTS(...)
#define STG_SAYS_LOSS(...)
#define STG_CHECK_LOSS(Ref) static_assert(detail::has_loss<Ref>, STG_IS_NO_LOSS)
#define STG_CHECK_GRADIENTS(mistake)                                                                                  \
  static_assert(mistake.what != detail::gradient_finding::no_such_input, STG_WANTS_ANOTHER_INPUT);                    \
  static_assert(mistake.what != detail::gradient_finding::no_gradient, STG_HAS_NO_GRADIENT);                          \
  static_assert(mistake.what != detail::gradient_finding::sparse_input, STG_WANTS_A_SPARSE_INPUT);                    \
  static_assert(mistake.what != detail::gradient_finding::nothing_trainable, STG_TRAINS_NOTHING);                     \
  [[maybe_unused]] detail::refusal_of<mistake.by, mistake.name, mistake.what == detail::gradient_finding::is_refused> \
      said
#endif

namespace detail {

/// The refused promise in either half of a training step.
template <class Ref, class Outputs, class Entries> constexpr pass::promise_finding find_refused_in_training() {
  if constexpr (!has_decisions<Ref>) {
    return {};
  } else {
    using halves = differentiated<Ref, Outputs, typename as_required<Entries>::type>;
    constexpr pass::promise_finding narrow = find_refused_width<Ref>();
    if constexpr (narrow.what != pass::refused_promise::none) return narrow;
    constexpr pass::promise_finding forward = find_refused_promise<typename halves::forward>();
    return forward.what != pass::refused_promise::none ? forward : find_refused_promise<typename halves::gradient>();
  }
}

/// The message of an operation that refuses; others have none.
struct nothing_refused {};
template <ir::opcode By, text Name, bool Refuses> struct refusal_by { using type = nothing_refused; };
template <ir::opcode By, text Name> struct refusal_by<By, Name, true> {
  using type = typename op::of_code_t<By>::template refusal<true>;
};
/// The name of a value that forbids gradients, which compilers print beside the sentence.
template <STG_WORD Value> struct value_forbids_gradients {};
template <class Value> struct refusal_of_value {
  static_assert(std::is_void_v<Value>,
                "stg: a gradient would pass through a value that forbids it, not_differentiable; write detach(x)");
};
template <text Name> struct text_of {
  static constexpr std::string_view view() { return Name.view(); }
};
template <text Name> struct refusal_by<ir::opcode::own_gradient, Name, true> {
  using word = std::remove_const_t<decltype(spell_view<text_of<Name>, name>::value)>;
  using type = refusal_of_value<in_words<value_forbids_gradients, word>>;
};
template <ir::opcode By, text Name, bool Refuses> using refusal_of = typename refusal_by<By, Name, Refuses>::type;

/// The mistake in the gradients of these outputs for these entries; none without a program, or without a loss.
template <class Ref, class Outputs, class Entries> constexpr gradient_mistake find_mistake_of_gradients() {
  if constexpr (is_right<Ref>) return find_gradient_mistake<Ref, Outputs>(Entries());
  else return {};
}
template <class Ref, class Outputs, class... Wanted>
inline constexpr gradient_mistake mistake_of_gradients =
    find_mistake_of_gradients<Ref, Outputs, typename wanted_entries<Ref, Wanted...>::type>();

template <class Ref> constexpr bool find_loss() {
  if constexpr (is_program<Ref>) {
    constexpr ir::statement loss = output_statement<Ref>(0);
    return loss.where == ir::space::graph && is_real(loss.type) && loss.dims.is_scalar();
  } else {
    return true;
  }
}
template <class Ref> inline constexpr bool has_loss = find_loss<Ref>();
template <class Ref, class... Wanted> constexpr gradient_mistake find_mistake_of_step() {
  if constexpr (has_loss<Ref>) return mistake_of_gradients<Ref, provided<0>, Wanted...>;
  else return {};
}
template <class Ref, class... Wanted>
inline constexpr gradient_mistake mistake_of_step = find_mistake_of_step<Ref, Wanted...>();

template <class Ref, class Backend, class... Wanted>
STG_SAYS_WANTED(Wanted...)
STG_SAYS_GRADIENTS(detail::mistake_of_gradients<Ref, detail::all_real_outputs<Ref>, Wanted...>) auto checked_trainer(
    const Backend& on) {
  using outputs = all_real_outputs<Ref>;
  using entries = typename wanted_entries<Ref, Wanted...>::type;
  constexpr gradient_mistake wrong = mistake_of_gradients<Ref, outputs, Wanted...>;
  STG_CHECK_WANTED(Wanted...);
  STG_CHECK_GRADIENTS(wrong);
  if constexpr (is_right<Ref> && wrong.what == gradient_finding::none) {
    constexpr pass::promise_finding why = find_refused_in_training<Ref, outputs, entries>();
    STG_CHECK_PROMISES(why);
    return trainer<Ref, outputs, entries, Backend>(on);
  } else {
    return unmade_recorder<Ref>();
  }
}

template <class Ref, class Backend, class... Wanted>
STG_SAYS_WANTED(Wanted...)
STG_SAYS_LOSS(Ref) STG_SAYS_GRADIENTS(detail::mistake_of_step<Ref, Wanted...>) auto checked_step(const Backend& on) {
  using entries = typename wanted_entries<Ref, Wanted...>::type;
  constexpr gradient_mistake wrong = mistake_of_step<Ref, Wanted...>;
  STG_CHECK_WANTED(Wanted...);
  STG_CHECK_LOSS(Ref);
  STG_CHECK_GRADIENTS(wrong);
  if constexpr (is_right<Ref> && has_loss<Ref> && wrong.what == gradient_finding::none) {
    constexpr pass::promise_finding why = find_refused_in_training<Ref, provided<0>, entries>();
    STG_CHECK_PROMISES(why);
    return training_step<Ref, entries, Backend>(on);
  } else {
    return unmade_step<Ref>();
  }
}

}  // namespace detail

/// Compiles a program for training with tapes: `auto layer = stg::compile_for_training<gat>();`, or with the inputs
/// whose gradients are wanted, `stg::compile_for_training<gat, h, el>()`.
template <const auto& F, const auto&... Wrt, class Backend = default_backend> auto compile_for_training() {
#include <stg/call/look_into.inc>
  return detail::checked_trainer<ref<F>, Backend, std::remove_cvref_t<decltype(Wrt)>...>(Backend());
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(compile_for_training)  // stg: a program captures nothing; bind a number as scalar<"n">
#ifndef __CUDACC__  // nvcc does not tell overloads of templates that take references apart
/// For arguments of `record`: what to write.
template <const auto& F, const auto&... Wrt, class First, class... Rest>
auto compile_for_training(const First&, const Rest&...) {
  constexpr bool fits = sizeof(First) == 0;
  static_assert(fits,
                "stg: what is recorded stands behind (): stg::compile_for_training<model>().record(graph, x = X)");
  return detail::unmade<typename detail::unmade_recorder<ref<F>>::tape>();
}
#endif

/// For a lambda as an argument: what to write.
template <class F> auto compile_for_training(const F&) {
  static_assert(
      sizeof(F) == 0,
      "stg: a program is a template argument, constexpr at namespace scope: stg::compile_for_training<model>()");
  return mistake();
}

/// Compiles a loss, one real number as the first output, into a step that returns it with its gradients: for all
/// trainable inputs, or for the given symbols: `stg::value_and_grad<loss, W1, x>()`.
template <const auto& F, const auto&... Wrt, class Backend = default_backend> auto value_and_grad() {
#include <stg/call/look_into.inc>
  return detail::checked_step<ref<F>, Backend, std::remove_cvref_t<decltype(Wrt)>...>(Backend());
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(value_and_grad)  // stg: a program captures nothing; bind a number as scalar<"n">
#ifndef __CUDACC__
/// For arguments of a step: what to write.
template <const auto& F, const auto&... Wrt, class First, class... Rest>
auto value_and_grad(const First&, const Rest&...) {
  constexpr bool fits = sizeof(First) == 0;
  static_assert(fits, "stg: what is called stands behind (): stg::value_and_grad<loss>()(graph, x = X, params)");
  return detail::unmade<typename detail::unmade_step<ref<F>>::result>();
}
#endif

/// For a lambda as an argument: what to write.
template <class F> auto value_and_grad(const F&) {
  constexpr bool fits = sizeof(F) == 0;
  static_assert(fits, "stg: a loss is a template argument, constexpr at namespace scope: stg::value_and_grad<loss>()");
  return mistake();
}

/// The types of value_and_grad<F, Wrt...>()'s and compile_for_training<F, Wrt...>()'s results on the CPU, for members
/// and other files.
///
///   stg::parameters_of<loss> params = stg::parameters<loss>();
///   stg::adam<stg::parameters_of<loss>> optimizer{params, {.learning_rate = 0.01}};
///   stg::training_step_of<loss> step;
template <const auto& F, const auto&... Wrt> using training_step_of = decltype(value_and_grad<F, Wrt...>());
template <const auto& F, const auto&... Wrt> using recorder_of = decltype(compile_for_training<F, Wrt...>());

/// The type of the tapes of compile_for_training<F, Wrt...>(), on the CPU, for members and containers; elsewhere it is
/// decltype(recorder)::tape.
///
///   std::vector<stg::tape_of<cell>> steps;
template <const auto& F, const auto&... Wrt> using tape_of = typename decltype(compile_for_training<F, Wrt...>())::tape;

}  // namespace stg
