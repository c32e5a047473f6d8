// with: a program and the way it runs, under one name: passes of the user's own, and the numbers that the library's
// passes decide by.
#pragma once

#include <type_traits>  // is_same_v, remove_cvref_t

#include <stg/analysis/checks.hpp>   // keeps_checks
#include <stg/analysis/choices.hpp>  // choices, with_choices
#include <stg/analysis/verify.hpp>   // verify
#include <stg/compile.hpp>           // canonical
#include <stg/dsl/keep.hpp>          // type_of_rows
#include <stg/pass/cse.hpp>          // cse
#include <stg/pass/dce.hpp>          // dce

namespace stg {

namespace detail {

/// The type of with<F, How...>. It is no layer: passes are of whole programs.
template <const auto& F, const auto&... How> struct lambda_with {
  template <class V> constexpr mistake operator()(V) const {
    constexpr bool is_layer = sizeof(V) == 0;
    static_assert(is_layer, "stg: with<f, ...> is a whole program; in a lambda call f, and put with around the lambda");
    return {};
  }
};

template <class T> inline constexpr bool is_choices = std::is_same_v<T, pass::choices>;
template <const auto& How> constexpr bool is_pass_or_choices() {
  if constexpr (is_choices<std::remove_cvref_t<decltype(How)>>) return true;
  else return requires(const ir::program& p, ir::program q) {
      q = How(p);
    };
}

}  // namespace detail

/// The program of F after passes, in their order, each a constexpr function object at namespace scope from program to
/// program, and by a `pass::choices` if one is among them. It stands wherever a program does: in compile,
/// value_and_grad and their kin for drafts and GPUs, explain, check_gradients, write_page, benchmarks. The result of
/// the passes is verified, and called as F is: its inputs and outputs stay, and so do the checks before it runs.
/// Parameters of F are those of with<F, …>.
///
///   auto step = stg::value_and_grad<stg::with<loss, by_reciprocals, thrifty>>();
///   auto now = step(graph, x = X, label = Y, params);
template <const auto& F, const auto&... How> inline constexpr detail::lambda_with<F, How...> with{};

/// Stores the rows of all values as bf16 or f16, also in the steps of scans and in called programs, unless the lambda
/// says otherwise: as if it had said stored_as<As>(v) (dsl/keep.hpp). A pass for `with`.
///
///   auto step = stg::value_and_grad<stg::with<loss, stg::all_stored_as<stg::bf16>>>();
template <scalar_type As> struct storing_all {
  constexpr ir::program operator()(ir::program p) const {
    ir::drop_decisions(
        p, [](const ir::decision& d) { return d.what == ir::decided::width && d.whom == ir::decided_of::whole; });
    p.decide(ir::of_whole(ir::decided::width, detail::type_of_rows<As>()));
    for (ir::program& step : p.callees) step = (*this)(step);
    return p;
  }
};
template <scalar_type As> inline constexpr storing_all<As> all_stored_as{};

namespace stage {

/// A program after one more pass.
template <class Program, const auto& Pass> struct after_pass {
  static constexpr ir::program make() {
    const ir::program q = pipeline::with_steps(Pass(Program::value.thaw()), pass::cse);
    return pipeline::with_steps(q, pass::dce);
  }
};

/// A program after all of them; choices are no passes.
template <class Program, const auto&... How> struct after : Program {};
template <class Program, const auto& First, const auto&... Rest>
struct after<Program, First, Rest...> : after<ir::stored<after_pass<Program, First>>, Rest...> {};
template <class Program, const auto& First, const auto&... Rest>
  requires(detail::is_choices<std::remove_cvref_t<decltype(First)>> || !detail::is_pass_or_choices<First>())
struct after<Program, First, Rest...> : after<Program, Rest...> {};

/// A program by other choices: the last among them.
template <class Program, const auto&... How> struct by_choices {
  static constexpr ir::program make() {
    pass::choices by;
    const auto look_at = [&](const auto& how) {
      if constexpr (detail::is_choices<std::remove_cvref_t<decltype(how)>>) by = how;
    };
    (look_at(How), ...);
    return pass::with_choices(Program::value.thaw(), by);
  }
};
/// A program after all passes, with choices in its table if some are given.
template <class Program, const auto&... How> struct decided : after<Program, How...> {};
template <class Program, const auto&... How>
  requires(detail::is_choices<std::remove_cvref_t<decltype(How)>> || ...)
struct decided<Program, How...> : ir::stored<by_choices<after<Program, How...>, How...>> {};

}  // namespace stage

namespace detail {

/// The first of some passes that refuses the program it is given: a pass may have `refuses<Program, Self>`, and a type
/// `refusal<Program, Self>` with the sentence.
template <class Program, const auto&... How> struct refused_pass { static constexpr bool is_there = false; };
template <const auto& Pass, class Program>
concept Refuses = std::remove_cvref_t<decltype(Pass)>::template refuses<Program, Pass>;
template <class Program, const auto& First, const auto&... Rest>
struct refused_pass<Program, First, Rest...> : refused_pass<stage::after<Program, First>, Rest...> {};
template <class Program, const auto& First, const auto&... Rest>
  requires Refuses<First, Program>
struct refused_pass<Program, First, Rest...> {
  static constexpr bool is_there = true;
  using sentence = typename std::remove_cvref_t<decltype(First)>::template refusal<Program, First>;
};

template <class Lambda> struct parts_of_with;
template <const auto& F, const auto&... How> struct parts_of_with<lambda_with<F, How...>> {
  using plain = ref<F>;
  using traced = stage::traced<F>;
  using place = mistake_in<F>;
  using program = stage::decided<canonical<plain>, How...>;
  static constexpr bool are_known = (is_pass_or_choices<How>() && ...);
  template <class Plain> using refused = refused_pass<canonical<Plain>, How...>;
};
template <class T> inline constexpr bool is_lambda_with = false;
template <const auto& F, const auto&... How> inline constexpr bool is_lambda_with<lambda_with<F, How...>> = true;
template <const auto& F>
concept IsWith = is_lambda_with<std::remove_cvref_t<decltype(F)>>;
template <const auto& F> using parts_of = parts_of_with<std::remove_cvref_t<decltype(F)>>;

/// Mistakes in the lambda are looked for in F itself.
template <const auto& F>
  requires IsWith<F>
struct mistake_in<F> : parts_of<F>::place {
};

}  // namespace detail

namespace stage {
template <const auto& F>
  requires detail::IsWith<F>
struct traced<F> : detail::parts_of<F>::traced {
};
}  // namespace stage

template <const auto& F>
  requires detail::IsWith<F>
struct ref<F> : traced<F> {
  using plain = typename detail::parts_of<F>::plain;
  static constexpr bool is_with = true, are_known = detail::parts_of<F>::are_known;
  using refused = typename detail::parts_of<F>::template refused<plain>;
};
template <const auto& F>
  requires detail::IsWith<F>
struct canonical<ref<F>> : detail::parts_of<F>::program {
};

namespace detail {

/// Whether two programs are called alike: the same inputs in the same places, outputs of the same kinds.
constexpr bool have_same_inputs(const ir::program& p, const ir::program& q) { return p.inputs == q.inputs; }
constexpr bool have_same_outputs(const ir::program& p, const ir::program& q) {
  if (p.outputs.size() != q.outputs.size()) return false;
  for (int k = 0; k < p.outputs.size(); ++k) {
    const ir::statement &a = p[p.outputs[k].at], &b = q[q.outputs[k].at];
    if (a.where != b.where || a.type != b.type || a.dims.rank != b.dims.rank) return false;
    for (int axis = 0; axis < a.dims.rank; ++axis)
      if (!(p.polynomial_of(a.dims.axes[axis]) == q.polynomial_of(b.dims.axes[axis]))) return false;
  }
  return true;
}

/// The change that passes made to a program, beside a rule of programs that they broke.
enum class changed { nothing, inputs, outputs, checks };
constexpr changed what_changed(const ir::program& p, const ir::program& q) {
  if (!have_same_inputs(p, q)) return changed::inputs;
  if (!have_same_outputs(p, q)) return changed::outputs;
  return pass::keeps_checks(p, q) ? changed::nothing : changed::checks;
}
/// A program with passes.
template <class Ref>
concept WithPasses = requires {
  Ref::is_with;
};

template <class Ref> constexpr changed find_change() { return changed::nothing; }
template <WithPasses Ref> constexpr changed find_change() {
  return what_changed(canonical<typename Ref::plain>::value.thaw(), canonical<Ref>::value.thaw());
}
#define STG_IS_NO_PASS \
  "stg: with<f, ...> takes passes, which give a program for a program, and pass::choices; inputs stand behind it"
#define STG_BREAKS_A_RULE \
  "stg: a pass breaks a rule of programs; stg::pass::verify(pass(program)) says which one, and where"
#define STG_CHANGES_INPUTS \
  "stg: a pass leaves inputs in their places, with their names; what is not read any more may stay"
#define STG_CHANGES_OUTPUTS "stg: a pass leaves outputs their number, spaces, shapes and types"
#define STG_DROPS_CHECKS \
  "stg: a pass drops a check of labels or of a mask; take p.checks along, as examine::transform does"

}  // namespace detail

}  // namespace stg
