// compile_for_training and value_and_grad: a lambda becomes something that is trained.
#pragma once

#include <stg/call/tape.hpp>           // trainer
#include <stg/call/training_step.hpp>  // training_step

namespace stg {

/// `wanted`: the types of what is asked for behind the program.
#define STG_CHECK_WANTED(wanted)                                                                              \
  static_assert(detail::are_inputs<wanted>,                                                                   \
                "stg: behind the program stand inputs whose gradients are wanted; a pass goes to stg::compile<f, pass>()")

#define STG_CHECK_GRADIENTS(mistake)                                                                                  \
  static_assert(mistake.what != detail::gradient_finding::no_such_input,                                              \
                "stg: a gradient is asked for an input that the program does not read");                              \
  static_assert(mistake.what != detail::gradient_finding::no_gradient,                                                \
                "stg: an input has no gradient; no real output depends on it differentiably");                        \
  static_assert(mistake.what != detail::gradient_finding::sparse_input,                                               \
                "stg: a sparse feature has no gradient; declare what is trained as a vertex_feature");                \
  static_assert(mistake.what != detail::gradient_finding::nothing_trainable,                                          \
                "stg: nothing is trainable; use a parameter, or trainable(...), or name the inputs");                 \
  [[maybe_unused]] detail::refusal_of<mistake.by, mistake.name, mistake.what == detail::gradient_finding::is_refused> \
      said

namespace detail {

/// Of both halves of a training step, which promise is refused.
template <class Ref, class Outputs, class Entries> constexpr pass::refused_promise find_refused_in_training() {
  if constexpr (!has_tags<Ref>) {
    return pass::refused_promise::none;
  } else {
    using halves = differentiated<Ref, Outputs, typename as_required<Entries>::type>;
    constexpr pass::refused_promise forward = find_refused_promise<typename halves::forward>();
    return forward != pass::refused_promise::none ? forward : find_refused_promise<typename halves::gradient>();
  }
}

/// What the operation says that refuses; of others nothing.
struct nothing_refused {};
template <ir::opcode By, text Name, bool Refuses> struct refusal_by { using type = nothing_refused; };
template <ir::opcode By, text Name> struct refusal_by<By, Name, true> {
  using type = typename op::of_code_t<By>::template refusal<true>;
};
/// A value that forbids gradients has a name, which compilers print beside the sentence.
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

template <const auto& F, const auto&... Wrt, class Backend> auto checked_trainer(const Backend& on) {
  using Ref = program_of<F>;
  if constexpr (is_program<Ref>) {
    using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
    using outputs = all_real_outputs<Ref>;
    constexpr op::rule rule = found<Ref>.what;
    constexpr gradient_mistake found_mistake = find_gradient_mistake<Ref, outputs>(entries());
    STG_CHECK_WANTED(std::remove_cvref_t<decltype(Wrt)>...);
    STG_CHECK_RULES(Ref, rule);
    STG_CHECK_GRADIENTS(found_mistake);
    if constexpr (rule == op::rule::none && found_mistake.what == gradient_finding::none) {
      constexpr pass::refused_promise why = find_refused_in_training<Ref, outputs, entries>();
      STG_CHECK_PROMISES(why);
      return trainer<Ref, outputs, entries, Backend>(on);
    } else {
      return unmade_recorder<Ref>();
    }
  } else {
    return unmade_recorder<Ref>();
  }
}

template <const auto& F, const auto&... Wrt, class Backend> auto checked_step(const Backend& on) {
  using Ref = program_of<F>;
  if constexpr (is_program<Ref>) {
    using entries = typename wanted_entries<Ref, std::remove_cvref_t<decltype(Wrt)>...>::type;
    constexpr ir::statement loss = output_statement<Ref>(0);
    constexpr bool is_loss = loss.where == ir::space::graph && is_real(loss.type) && loss.dims.is_scalar();
    constexpr op::rule rule = found<Ref>.what;
    constexpr gradient_mistake found_mistake = find_gradient_mistake<Ref, provided<0>>(entries());
    STG_CHECK_WANTED(std::remove_cvref_t<decltype(Wrt)>...);
    STG_CHECK_RULES(Ref, rule);
    static_assert(is_loss,
                  "stg: value_and_grad takes a loss: one real number for the graph, such as sum(x, all_vertices)");
    STG_CHECK_GRADIENTS(found_mistake);
    if constexpr (is_loss && rule == op::rule::none && found_mistake.what == gradient_finding::none) {
      constexpr pass::refused_promise why = find_refused_in_training<Ref, provided<0>, entries>();
      STG_CHECK_PROMISES(why);
      return training_step<Ref, entries, Backend>(on);
    } else {
      return unmade_step<Ref>();
    }
  } else {
    return unmade_step<Ref>();
  }
}

}  // namespace detail

/// Compiles a program for training with tapes: `auto layer = stg::compile_for_training<gat>();`, or with the inputs
/// whose gradients are wanted, `stg::compile_for_training<gat, h, el>()`.
template <const auto& F, const auto&... Wrt, class Backend = default_backend> auto compile_for_training() {
  if constexpr (detail::TakesOne<std::remove_cvref_t<decltype(F)>>) {  // first of all: no way lies between them
    [[maybe_unused]] typedef decltype(F(std::declval<vertex_view>())) looked_into;
  }
  return detail::checked_trainer<F, Wrt...>(Backend());
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(compile_for_training)  // stg: a program captures nothing; bind a number as scalar<"n">
#ifndef __CUDACC__  // where overloads of templates that take references are not told apart
/// Of what belongs to `record`: what to write.
template <const auto& F, const auto&... Wrt, class First, class... Rest>
auto compile_for_training(const First&, const Rest&...) {
  static_assert(sizeof(First) == 0,
                "stg: what is recorded stands behind (): stg::compile_for_training<model>().record(graph, x = X)");
  return detail::unmade<typename detail::unmade_recorder<program_of<F>>::tape>();
}
#endif

/// Compiles a loss, one real number as the first output, into a step that returns it with its gradients: for all
/// trainable inputs, or for the given symbols: `stg::value_and_grad<loss, W1, x>()`.
template <const auto& F, const auto&... Wrt, class Backend = default_backend> auto value_and_grad() {
  if constexpr (detail::TakesOne<std::remove_cvref_t<decltype(F)>>) {  // first of all: no way lies between them
    [[maybe_unused]] typedef decltype(F(std::declval<vertex_view>())) looked_into;
  }
  return detail::checked_step<F, Wrt...>(Backend());
}
STG_TAKES_LAMBDAS_WITH_ADDRESS(value_and_grad)  // stg: a program captures nothing; bind a number as scalar<"n">
#ifndef __CUDACC__
/// Of what belongs to a step: what to write.
template <const auto& F, const auto&... Wrt, class First, class... Rest>
auto value_and_grad(const First&, const Rest&...) {
  static_assert(sizeof(First) == 0,
                "stg: what is called stands behind (): stg::value_and_grad<loss>()(graph, x = X, params)");
  return detail::unmade<typename detail::unmade_step<program_of<F>>::result>();
}
#endif

/// The type of the tapes of compile_for_training<F, Wrt...>(), on the CPU, for members and containers; elsewhere it is
/// decltype(recorder)::tape.
///
///   std::vector<stg::tape_of<cell>> steps;
template <const auto& F, const auto&... Wrt> using tape_of = typename decltype(compile_for_training<F, Wrt...>())::tape;

}  // namespace stg
