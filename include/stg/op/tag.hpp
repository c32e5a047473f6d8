// tag: words that a program carries along, on values and on their axes, for whoever examines it; they compute nothing.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/dsl/expr.hpp>      // expr, steps_expr
#include <stg/ir/decisions.hpp>  // of_value
#include <stg/op/reshape.hpp>    // axis
#include <stg/op/scan.hpp>       // all_steps
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg {

struct all_rows_t {};
/// The axis along which a value has a row for each vertex or edge: tag<"people">(x, all_rows).
inline constexpr all_rows_t all_rows = all_rows_t();

namespace detail {

template <fixed_string Name>
inline constexpr bool is_tag = Name.size > 0 && Name.size <= std::size_t(text::capacity) && Name.letters[0] != '%';

/// Which axis of a value is meant, and whether one of a space and a rank has it.
template <class Where> struct tagged_axis;
template <int I> struct tagged_axis<axis_t<I>> {
  template <class S, class Sh> static constexpr bool is_there = has_axis<I, Sh>;
  template <class Sh> static constexpr int number = axis_of<I, Sh>;
};
template <> struct tagged_axis<all_rows_t> {
  template <class S, class Sh> static constexpr bool is_there = !std::is_same_v<S, space::graph>;
  template <class Sh> static constexpr int number = ir::tag::rows;
};
template <class Where>
concept TaggedAxis = requires {
  tagged_axis<Where>::template number<shape<1>>;
};

constexpr void add_tag(tracer& t, std::string_view name, ir::value_id at, int axis) {
  ir::tag one;
  one.name = text(name);
  one.at = at;
  one.axis = axis;
  t.tag(one);
}

/// Of a value of a step and one around it, in the step.
template <class A, class B> constexpr void decide_pair(ir::decided what, const A& a, const B& b) {
  tracer* const t = tracer_of(a, b);
  t->program.decide(ir::of_pair(what, value_in(t, a).id, value_in(t, b).id));
}

#define STG_CHECK_TAG(Name) \
  static_assert(detail::is_tag<Name>, "stg: a tag has 1 to 62 letters, the first of them not %; give it another word")

}  // namespace detail

/// Gives a value a word that passes carry along, by which examine finds and counts it (docs/programs.md). It computes
/// nothing, and is not part of what makes programs equal; where passes make one value of two, that has the tags of
/// both.
///
///   auto score = tag<"attention">(leaky_relu(s));
template <fixed_string Name, TracedValue X> constexpr auto tag(X x) {
  STG_CHECK_TAG(Name);
  if constexpr (detail::is_tag<Name>) detail::add_tag(*x.trace, Name.view(), x.id, ir::tag::whole);
  return x;
}
/// The same of one axis: axis<0>, … of its features, all_rows for that of vertices or edges. examine::spread_tags takes
/// it to the axes that are the same one in other values.
///
///   auto h = tag<"head">(reshape<8, 16>(matmul(v(x), W)), axis<0>);
template <fixed_string Name, class S, class Sh, scalar_type T, detail::TaggedAxis Where>
constexpr auto tag(expr<S, Sh, T> x, Where) {
  using axis = detail::tagged_axis<Where>;
  constexpr bool is_there = axis::template is_there<S, Sh>;
  STG_CHECK_TAG(Name);
  static_assert(is_there, "stg: tag names an axis that the value does not have; axis<0> is the first of its features");
  if constexpr (detail::is_tag<Name> && is_there)
    detail::add_tag(*x.trace, Name.view(), x.id, axis::template number<Sh>);
  return x;
}
/// Of what a scan gave for each step: tag<"day">(y, all_steps).
template <fixed_string Name, class S, class Sh, scalar_type T, class Over>
constexpr auto tag(steps_expr<S, Sh, T, Over> y, all_steps_t) {
  STG_CHECK_TAG(Name);
  if constexpr (detail::is_tag<Name>) detail::add_tag(*y.trace, Name.view(), y.id, ir::tag::steps);
  return y;
}

/// x, of which all rows lie in memory: whoever reads it reads them there, and a gradient that needs it does not compute
/// it again. A promise: the plan keeps it, or compile refuses it and says why. No pass rewrites x for its readers'
/// sake, so that it may cost arithmetic, too; explain says what it costs.
///
///   auto h = stored(relu(matmul(v(x), W)));   // not again for each reader
template <TracedValue X> constexpr auto stored(X x) {
  x.trace->program.decide(ir::of_value(ir::decided::stored, x.id));
  return x;
}
/// x, of which no rows lie in memory: each pass over vertices or edges that reads it computes it, from what it is made
/// of; edges for each of them. A promise as stored is.
///
///   auto norm = inlined(rsqrt(v.in_degree() + 1.0));
template <TracedValue X> constexpr auto inlined(X x) {
  x.trace->program.decide(ir::of_value(ir::decided::inlined, x.id));
  return x;
}

/// One pass over vertices or edges computes both values. A promise as stored is: the plan keeps it, or compile refuses
/// it and says why. It holds for the forward program; a gradient that computes both again may do so in two passes.
///
///   together(friends, y);
template <class A, class B>
  requires detail::is_expr<A> && detail::is_expr<B>
constexpr void together(const A& a, const B& b) { detail::decide_pair(ir::decided::together, a, b); }
/// No pass over vertices or edges computes both values, nor do two passes that run block by block. A promise as stored
/// is.
///
///   apart(friends, y);
template <class A, class B>
  requires detail::is_expr<A> && detail::is_expr<B>
constexpr void apart(const A& a, const B& b) { detail::decide_pair(ir::decided::apart, a, b); }

#undef STG_CHECK_TAG

// Called on what was not read.
STG_TAKES_VALUES_OR_STEPS(stored)
STG_TAKES_VALUES_OR_STEPS(inlined)
#define STG_TAKES_A_PAIR(function)                                                                            \
  template <class A, class B>                                                                                 \
    requires Unread<A, B> STG_SAYS_UNREAD(function, "values", A, B)                                           \
  STG_SAYS_STEPS(function, A, B) constexpr void function(const A& a, const B& b) {                            \
    STG_CHECK_UNREAD(function, "values", A, B);                                                               \
    STG_CHECK_STEPS(function, A, B);                                                                          \
    constexpr bool is_reading = !detail::has_feature<A, B> && detail::are_traced<A, B>;                       \
    if constexpr (is_reading && (detail::is_expr<A> || detail::is_loose<A> || detail::is_graph_symbol<A>)&&(  \
                                    detail::is_expr<B> || detail::is_loose<B> || detail::is_graph_symbol<B>)) \
      detail::decide_pair(ir::decided::function, a, b);                                                       \
  }
STG_TAKES_A_PAIR(together)
STG_TAKES_A_PAIR(apart)
#undef STG_TAKES_A_PAIR
STG_TAKES_VALUES_OR_STEPS_FOR(tag, Name, fixed_string Name)
STG_TAKES_VALUES_OR_STEPS_FOR(named, Name, fixed_string Name)

}  // namespace stg
