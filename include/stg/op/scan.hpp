// scan: a step that is repeated, with the values that it carries: over time, over layers, over hops.
//
// In a program it is one statement, whose step is a program of its own, a callee. The step's inputs are, in their
// order, what the scan is given by a list of binds:
//
//   the first `carried` are values of the step before it, the first outputs of the step; before the first step they are
//       the initial values of the list
//   of a value that has one for each step, where the step's input is a plain one, the step reads its own
//   all else is the same at every step
//
// result k is output k of the step: of a carried value that of the last step, of any other one for each step. A call is
// a scan of one step whose results are those of the step (call.hpp).
#pragma once

#include <string_view>  // string_view
#include <tuple>        // tuple
#include <type_traits>  // is_convertible_v, remove_cvref_t, type_identity
#include <utility>      // integer_sequence

#include <stg/dsl/build.hpp>      // value_in, constant
#include <stg/dsl/next_step.hpp>  // scan_rules
#include <stg/dsl/scan_body.hpp>  // steps_from, scan_over_values
#include <stg/dsl/vertex.hpp>     // vertex_view
#include <stg/ir/callees.hpp>     // arguments_of
#include <stg/op/feature.hpp>     // sum along an axis
#include <stg/op/operation.hpp>   // operation
#include <stg/op/reshape.hpp>     // view

namespace stg::op {

/// The list of what a scan reads, while it is empty.
struct arguments : source<ir::opcode::arguments> {
  static constexpr std::string_view in_words = "a list of what a scan reads, empty";
};

/// A list with one value more.
struct bind : operation<ir::opcode::bind, category::call, 2> {
  static constexpr std::string_view in_words = "list a with one value more, b";
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::opcode list = p.operand(s, 0).code;
    if (list != ir::opcode::arguments && list != ir::opcode::bind) throw rule_is_broken{rule::operand_count_is_right};
    s.where = ir::space::graph;
    s.type = scalar_type::f32;
    s.dims = ir::shape();
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}  // pass/scan_gradient.hpp, here and below
};

#define STG_REFUSES_STEPS STG_REFUSES_GRADIENT("sign, floor, round or their like in the body of a scan", "detach(x)")

/// The steps: attribute: the callee; number: how many values are carried; over: how many steps there are.
struct scan : operation<ir::opcode::scan, category::call, 1> {
  static constexpr std::string_view in_words = "the steps of a program that is given the list a";
  STG_REFUSES_STEPS;
  static constexpr op::effect effect = op::effect::random;
  static constexpr std::string_view source = "jax.lax.scan";
  static constexpr int cost = 1000;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

/// The scan of a gradient, which knows the scan that it was made for: what that saves for it is decided later.
struct scan_gradient : operation<ir::opcode::scan_gradient, category::call, 2> {
  static constexpr std::string_view in_words = "the same, of the gradient of scan b";
  STG_REFUSES_STEPS;
  static constexpr op::effect effect = op::effect::random;
  static constexpr int passive_operands = 2;
  static constexpr int cost = 1000;
  static constexpr void infer(const ir::program&, ir::statement&) {}
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

#undef STG_REFUSES_STEPS

/// What a scan gives: attribute: which output of the step.
struct result : operation<ir::opcode::result, category::call, 1> {
  static constexpr std::string_view in_words = "output k of scan a: after the last step, or T x (…), one for each";
  static constexpr int cost = 0;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& from = p.operand(s, 0);
    if (from.code == ir::opcode::own_gradient) return take(p[ir::arguments_of(p, from)[s.output()]], s);
    if (!ir::is_scan(from.code)) throw rule_is_broken{rule::operand_count_is_right};
    const ir::program& step = p.callees[from.callee()];
    const ir::statement& x = step[step.outputs[s.output()].at];
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    s.over = ir::is_call(from) || s.output() < from.carried() ? x.over : from.over;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}

 private:
  static constexpr void take(const ir::statement& x, ir::statement& s) {
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    s.over = x.over;
  }
};

}  // namespace stg::op

namespace stg {

namespace detail {

template <class Over, class Shape> struct steps_in_front;
template <auto N, auto... E> struct steps_in_front<shape<N>, shape<E...>> { using type = shape<N, E...>; };

/// In place of what a scan with a mistake in it would give: as many things, as far as that is known.
template <int> struct one_mistake { using type = mistake; };  // nvcc loses the pack of an alias that drops it
template <int... K> constexpr auto mistakes(std::integer_sequence<int, K...>) {
  if constexpr (sizeof...(K) < 2) return mistake();
  else return std::tuple<typename one_mistake<K>::type...>();
}

/// The sentences stand in the body of what the user calls.
#define STG_HAS_NO_STEPS "stg: scan takes the number of steps: scan<12>(v, body, h), or an extent's name: scan<\"T\">"
#define STG_BEGINS_UNREAD \
  "stg: a scan begins with computed values or numbers, behind its body; read the feature first: v(x)"
#define STG_BEGINS_WITH_TOO_FEW \
  "stg: a scan begins with a value for each that its body takes: scan<\"T\">(v, body, zeros<16>(v))"
#define STG_TAKES_NO_STATE \
  "stg: the body of a scan takes the vertex and a value for each initial one: [](auto v, auto h)"
#define STG_STEPS_WITHOUT_RETURN "stg: the body of a scan returns nothing; it returns what goes on: return next(h)"
#define STG_STEPS_TO_A_TUPLE \
  "stg: the body of a scan returns no tuple; carried values are next(h, c), collected ones next(h).gives(y)"
#define STG_GIVES_TOO_FEW "stg: the body of a scan gives back as many values as it carries: return next(h, c)"
#define STG_GIVES_UNREAD "stg: the body of a scan gives back computed values: return next(h).gives(y)"
#define STG_MOVES_ELSEWHERE \
  "stg: a carried value lives elsewhere after a step; begin with one that lives there: zeros<16>(v)"
#define STG_CHANGES_SHAPE \
  "stg: a carried value has another shape after a step; begin with one of that shape: zeros<16>(v)"
#define STG_CHANGES_TYPE "stg: a carried value has another scalar type after a step; cast one of them"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_SCAN(...)                                                                    \
  __attribute__((diagnose_if(!(__VA_ARGS__::is_size), STG_HAS_NO_STEPS, "error"),             \
                 diagnose_if(!(__VA_ARGS__::begins), STG_BEGINS_UNREAD, "error"),             \
                 diagnose_if(!(__VA_ARGS__::has_first), STG_BEGINS_WITH_TOO_FEW, "error"),    \
                 diagnose_if(!(__VA_ARGS__::takes_state), STG_TAKES_NO_STATE, "error"),       \
                 diagnose_if(!(__VA_ARGS__::returns), STG_STEPS_WITHOUT_RETURN, "error"),     \
                 diagnose_if(!(__VA_ARGS__::is_no_tuple), STG_STEPS_TO_A_TUPLE, "error"),     \
                 diagnose_if(!(__VA_ARGS__::as_many), STG_GIVES_TOO_FEW, "error"),            \
                 diagnose_if(!(__VA_ARGS__::are_values), STG_GIVES_UNREAD, "error"),          \
                 diagnose_if(!(__VA_ARGS__::kinds::one_space), STG_MOVES_ELSEWHERE, "error"), \
                 diagnose_if(!(__VA_ARGS__::kinds::one_shape), STG_CHANGES_SHAPE, "error"),   \
                 diagnose_if(!(__VA_ARGS__::kinds::one_type), STG_CHANGES_TYPE, "error")))
#define STG_CHECK_SCAN(rules)
#else
#define STG_SAYS_SCAN(...)
#define STG_CHECK_SCAN(rules)                                  \
  static_assert(rules::is_size, STG_HAS_NO_STEPS);             \
  static_assert(rules::begins, STG_BEGINS_UNREAD);             \
  static_assert(rules::has_first, STG_BEGINS_WITH_TOO_FEW);    \
  static_assert(rules::takes_state, STG_TAKES_NO_STATE);       \
  static_assert(rules::returns, STG_STEPS_WITHOUT_RETURN);     \
  static_assert(rules::is_no_tuple, STG_STEPS_TO_A_TUPLE);     \
  static_assert(rules::as_many, STG_GIVES_TOO_FEW);            \
  static_assert(rules::are_values, STG_GIVES_UNREAD);          \
  static_assert(rules::kinds::one_space, STG_MOVES_ELSEWHERE); \
  static_assert(rules::kinds::one_shape, STG_CHANGES_SHAPE);   \
  static_assert(rules::kinds::one_type, STG_CHANGES_TYPE)
#endif

template <class Rules, auto E, class F, class... Initial>
constexpr auto scan(vertex_view v, const F& f, const Initial&... initial) {
  if constexpr (Rules::ok)
    return steps_from<shape<canonical_extent<extent_of<E>>()>>(v, f, std::type_identity<typename Rules::first>(),
                                                               initial_value(v.trace, initial)...);
  else return mistakes(std::make_integer_sequence<int, Rules::count>());
}

}  // namespace detail

/// Repeats a step: scan<"T">(v, body, h0, …). body is called once, while the program is traced, with a vertex and the
/// carried values, and gives back their next ones, and what is collected: `return next(h).gives(y)`; one value alone is
/// the next one, or, where nothing is carried, collected. Returns the carried values after the last step and the
/// collected ones, a steps_expr each, in this order; one by itself, several as a tuple: auto [h, y] = scan<"T">(…).
/// Space, shape and type of a carried value stay: a state of zeros begins as zeros<16>(v).
///
/// In the body, symbols that are declared over<"T"> are those of the step, through v(x), e.src(x) and e(w). All else,
/// what the lambda captures by [=] or [&] too, is the same at every step. "T" is a run-time extent, the number of
/// steps, or an integer. No step at all leaves the initial values. jax.lax.scan.
///
///   auto last = scan<"T">(v, [](auto v, auto h) { return tanh(matmul(v(x), W) + mean(v.in_edges().src(h))); },
///                        zeros<16>(v));
template <fixed_string T, class F, class... Initial,
          class = decltype(detail::look_into<F, detail::takes_initial<F, Initial...>, Initial...>(0))>
STG_SAYS_SCAN(detail::scan_rules<extent<T>, F, Initial...>)
constexpr auto scan(vertex_view v, const F& body, const Initial&... initial) {
  using rules = detail::scan_rules<extent<T>, F, Initial...>;
  STG_CHECK_SCAN(rules);
  return detail::scan<rules, extent<T>>(v, body, initial...);
}
template <auto T, class F, class... Initial,
          class = decltype(detail::look_into<F, detail::takes_initial<F, Initial...>, Initial...>(0))>
  requires(!detail::is_spelled<std::remove_cvref_t<decltype(T)>>)
STG_SAYS_SCAN(detail::scan_rules<T, F, Initial...>)
constexpr auto scan(vertex_view v, const F& body, const Initial&... initial) {
  using rules = detail::scan_rules<T, F, Initial...>;
  STG_CHECK_SCAN(rules);
  return detail::scan<rules, T>(v, body, initial...);
}

#ifndef __CUDACC__  // where overloads of templates that take references are not told apart
/// Of a number of steps that is a variable: what to write.
template <auto& T, class F, class... Initial>
  requires(std::is_integral_v<std::remove_reference_t<decltype(T)>> &&
           !std::is_const_v<std::remove_reference_t<decltype(T)>>)
constexpr auto scan(vertex_view, const F&, const Initial&...) {
  constexpr bool is_constant = sizeof(F) == 0;
  static_assert(is_constant,
                "stg: scan<T> takes a constant, or a name whose number each call gives: scan<\"T\">(v, body, h)");
  return detail::mistakes(std::make_integer_sequence<int, sizeof...(Initial)>());
}

/// Of a scan without its vertex, or without the number of its steps: what to write.
#define STG_SCANS_WITHOUT_VERTEX "stg: scan takes the vertex first, then the body: scan<\"T\">(v, body, zeros<16>(v))"
#define STG_SCANS_WITHOUT_STEPS \
  "stg: scan takes the number of steps in its brackets: scan<12>(v, body, h), scan<\"T\">(v, body, h)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_OTHER_SCAN(sentence, ...) __attribute__((diagnose_if(sizeof(__VA_ARGS__) != 0, sentence, "error")))
#define STG_CHECK_OTHER_SCAN(A, sentence)
#else
#define STG_SAYS_OTHER_SCAN(sentence, ...)
#define STG_CHECK_OTHER_SCAN(A, sentence) static_assert(sizeof(A) == 0, sentence)
#endif
namespace detail {
/// Of so many arguments behind the body as many results, as far as that is known.
template <int Arguments>
using no_scan = decltype(mistakes(std::make_integer_sequence<int, (Arguments > 0 ? Arguments : 0)>()));
}  // namespace detail
template <fixed_string T, class A, class... More>
  requires(!std::is_convertible_v<A, vertex_view>)
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_VERTEX, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_VERTEX);
  return detail::no_scan<sizeof...(More)>();
}
template <auto T, class A, class... More>
  requires(!detail::is_spelled<std::remove_cvref_t<decltype(T)>> && !std::is_convertible_v<A, vertex_view>)
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_VERTEX, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_VERTEX);
  return detail::no_scan<sizeof...(More)>();
}
template <class A, class... More>
STG_SAYS_OTHER_SCAN(STG_SCANS_WITHOUT_STEPS, A)
constexpr auto scan(const A&, const More&...) {
  STG_CHECK_OTHER_SCAN(A, STG_SCANS_WITHOUT_STEPS);
  constexpr int arguments = sizeof...(More);
  return detail::no_scan < std::is_convertible_v<A, vertex_view> ? arguments - 1 : arguments - 2 > ();
}
#endif

/// A body for `scan` of which no more than what is carried needs goes from step to step. What a step computes of its
/// inputs alone is done before, for all steps, and what nothing carried needs, heads and losses, behind; so are the
/// gradients of what all steps share. Steps of the parts before and behind run together, the rows of many small graphs
/// as those of one product, and threads share them. In return what passes from part to part is kept for every step.
///
///   auto last = scan<"T">(v, split_steps([](auto v, auto h) { return tanh(matmul(v(x), W) + matmul(h, U)); }),
///                         zeros<16>(v));
template <class F> constexpr auto split_steps(const F& body) { return detail::split_body<F>{body}; }

struct all_steps_t {};
/// Asks for a sum or mean over the steps of a scan: mean(y, all_steps).
inline constexpr all_steps_t all_steps = all_steps_t();

/// A value of the graph for each step as one value with an axis for them in front: (T, extents…).
template <class Sh, scalar_type T, class Over> constexpr auto stacked(steps_expr<space::graph, Sh, T, Over> y) {
  static_assert(Sh::rank < ir::shape::max_rank, "stg: stacked puts the steps in front of at most three axes");
  if constexpr (Sh::rank < ir::shape::max_rank) {
    using dims = typename detail::steps_in_front<Over, Sh>::type;
    return detail::view<space::graph, dims, T>(y.trace, y.id);
  } else {
    return mistake();
  }
}
/// Sum over all steps: of the space, shape and type of a step's value.
template <class S, class Sh, scalar_type T, class Over> constexpr auto sum(steps_expr<S, Sh, T, Over> y, all_steps_t) {
  const auto add = [y](auto v, auto total) {
    if constexpr (detail::is_edge<S>) return total + expr<S, Sh, T>(detail::value_in(v.trace, y));
    else return total + v(y);
  };
  const ir::value_id zero = detail::constant<T>(y.trace, 0).id;
  return detail::scan_over_values<Over>(vertex_view{y.trace}, add,
                                        detail::emit<S, Sh, T>(y.trace, ir::opcode::broadcast_to, zero));
}
/// Mean over all steps; 0 over none.
template <class S, class Sh, scalar_type T, class Over>
constexpr auto mean(steps_expr<S, Sh, T, Over> y, all_steps_t all) {
  static_assert(is_real(T), "stg: mean takes real values; write cast<f32>(x)");
  ir::statement s = detail::statement_of<space::graph, shape<>, T>(*y.trace, ir::opcode::extent_value);
  s.set_counted(y.trace->program.intern(detail::elements(Over())));
  return sum(y, all) / max(detail::emit_with<space::graph, shape<>, T>(y.trace, s), 1.0);
}

}  // namespace stg
