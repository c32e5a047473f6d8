// Along the feature axes of one value: sum, mean, max, log_sum_exp, softmax, reshape, concat, slice, broadcasting.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // is_same_v, type_identity

#include <stg/base/instead.hpp>   // STG_INSTEAD_FOR
#include <stg/base/config.hpp>    // STG_LANEWISE
#include <stg/dsl/build.hpp>      // emit, statement_of
#include <stg/op/aggregate.hpp>   // softmax
#include <stg/op/arithmetic.hpp>  // operator-, operator*
#include <stg/op/elementary.hpp>  // exp
#include <stg/op/operation.hpp>   // operation
#include <stg/op/rounding.hpp>    // shift_of
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg::op {

/// One operand whose space and type the result keeps; the statement brings its own shape.
template <ir::opcode Code> struct reshaping : operation<Code, category::feature, 1> {
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    s.where = p.operand(s, 0).where;
    s.type = p.operand(s, 0).type;
  }
};

/// Along the axes whose bit is set in the attribute, which keep an extent of 1.
template <ir::opcode Code> struct axis_reduction : operation<Code, category::feature, 1> {
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    s.where = x.where;
    s.type = x.type;
    s.dims = x.dims;
    for (int i = 0; i < s.dims.rank; ++i)
      if (s.reduces(i)) s.dims.axes[i] = ir::extent(1);
  }
};

struct reduce_sum : axis_reduction<ir::opcode::reduce_sum> {
  static constexpr op::domain domain{op::operands::numbers};
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.broadcast_like(d.cotangent(), d.operand(0)));
  }
};

/// Ties share the gradient equally.
struct reduce_max : axis_reduction<ir::opcode::reduce_max> {
  static constexpr op::domain domain{op::operands::numbers, kink::ties};
  static constexpr bool compares = true;
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto largest = d.cast(d.operand(0) == d.result(), d.result().type());
    d.add(0, largest * (d.cotangent() / d.reduce_sum(largest, d.statement().axes())));
  }
};

/// The softmax of the largest: as top_share_edges (aggregate.hpp), along axes.
struct reduce_top_share : axis_reduction<ir::opcode::reduce_top_share> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 14;
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto most = d.reduce_max(d.operand(0), d.statement().axes());
    d.add(0, -(d.cotangent() * d.result()) * d.softmax_along(d.operand(0), most, d.result()));
  }
};

/// Along the axes whose bit is set in the attribute.
struct softmax_axes : softmax<ir::opcode::softmax_axes> {
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto weighed = d.cotangent() * d.result();
    d.add(0, weighed - d.reduce_sum(weighed, d.statement().axes()) * d.result());
  }
};

struct reshape : reshaping<ir::opcode::reshape> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "as many elements";
  static constexpr int cost = 0;
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.reshape_like(d.cotangent(), d.operand(0)));
  }
};

/// Repeats a value along axes of extent 1 and, for a graph value, over all vertices or edges of the statement's space.
struct broadcast_to : operation<ir::opcode::broadcast_to, category::pointwise, 1> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a graph value in any space; any shape that a broadcasts to";
  static constexpr op::operands operands = op::operands::stored;
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    s.type = p.operand(s, 0).type;
    if (!(ir::broadcast(p.operand(s, 0).dims, s.dims).dims == s.dims)) throw rule_is_broken{rule::shapes_broadcast};
  }
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) { return a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent()); }
};

/// Two values one after the other along an axis.
struct concat : operation<ir::opcode::concat, category::feature, 2> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "shapes agree but for the axis, where they add up";
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    s.where = common_domain(p.operand(s, 0).where, p.operand(s, 1).where);
    s.type = p.operand(s, 0).type;
    if (p.operand(s, 1).type != s.type) throw rule_is_broken{rule::scalar_types_agree};
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    const int axis = d.statement().axis;
    d.add(0, d.slice(d.cotangent(), axis, ir::extent(0), d.operand(0).dims()));
    d.add(1, d.slice(d.cotangent(), axis, d.operand(0).dims().axes[axis], d.operand(1).dims()));
  }
};

/// Part of an axis: from the attribute (an extent code), as long as the statement's shape says.
struct slice : reshaping<ir::opcode::slice> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "part of an axis";
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.pad(d.cotangent(), d.statement().axis, d.statement().beginning(), d.operand(0).dims()));
  }
};

/// Zeros, with the operand placed into them from the attribute on: the gradient of slice.
struct pad : reshaping<ir::opcode::pad> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a longer axis";
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.slice(d.cotangent(), d.statement().axis, d.statement().beginning(), d.operand(0).dims()));
  }
};

}  // namespace stg::op

namespace stg {

template <int I> struct axis_t {};
/// Feature axis I, counted from 0; axis<-1> is the last.
template <int I> inline constexpr axis_t<I> axis = axis_t<I>();
/// Asks a reduction to keep the axis with extent 1: sum(x, axis<1>, keepdim).
struct keepdim_t {};
inline constexpr keepdim_t keepdim = keepdim_t();

namespace detail {

template <int I, class Sh> inline constexpr int axis_of = I < 0 ? I + Sh::rank : I;
template <int I, class Sh> inline constexpr bool has_axis = axis_of<I, Sh> >= 0 && axis_of<I, Sh> < Sh::rank;

/// A reduction along one axis that keeps it with extent 1.
template <ir::opcode Code, int I, class S, auto... E, scalar_type T>
constexpr auto reduce_kept(expr<S, shape<E...>, T> x) {
  constexpr int at = axis_of<I, shape<E...>>;
  using kept = decltype(replace_axis<at, 1>(shape<E...>(), std::make_index_sequence<sizeof...(E)>()));
  ir::statement s = statement_of<S, kept, T>(*x.trace, Code, x.id);
  s.attribute = std::int64_t(1) << at;
  return emit_with<S, kept, T>(x.trace, s);
}
template <class To, class S, class Sh, scalar_type T> constexpr auto reshape_to(expr<S, Sh, T> x) {
  return emit<S, To, T>(x.trace, ir::opcode::reshape, x.id);
}
/// A reduction along one axis, which disappears as in NumPy.
template <ir::opcode Code, int I, class S, auto... E, scalar_type T>
constexpr auto reduce_dropped(expr<S, shape<E...>, T> x) {
  using dropped = decltype(drop_axis<axis_of<I, shape<E...>>>(shape<E...>()));
  return reshape_to<dropped>(reduce_kept<Code, I>(x));
}
/// The number of elements along an axis, to divide by.
template <int I, class S, class Sh, scalar_type T> constexpr auto axis_length(expr<S, Sh, T> x) {
  constexpr auto length = axis_extent<Sh, axis_of<I, Sh>>;
  if constexpr (RuntimeExtent<decltype(length)>) {
    ir::statement s = statement_of<space::graph, shape<>, T>(*x.trace, ir::opcode::extent_value);
    s.attribute = x.trace->program.intern(polynomial_from(length)).code;
    return emit_with<space::graph, shape<>, T>(x.trace, s);
  } else {
    return constant<T>(x.trace, length);
  }
}

}  // namespace detail

// An axis decides a shape, so it is part of the type; what a person writes out of habit gets its own sentence.
template <class S, class Sh, scalar_type T> constexpr auto sum(expr<S, Sh, T>, int) {
  static_assert(Sh::rank < 0, "stg: sum takes an axis as a type; write sum(x, axis<1>)");
  return mistake();
}
template <class S, class Sh, scalar_type T> constexpr auto mean(expr<S, Sh, T>, int) {
  static_assert(Sh::rank < 0, "stg: mean takes an axis as a type; write mean(x, axis<1>)");
  return mistake();
}
template <class S, class Sh, scalar_type T> constexpr auto softmax(expr<S, Sh, T>, int) {
  static_assert(Sh::rank < 0, "stg: softmax takes an axis as a type; write softmax(x, axis<1>)");
  return mistake();
}
template <class S, class Sh, scalar_type T> constexpr auto log_softmax(expr<S, Sh, T>, int) {
  static_assert(Sh::rank < 0, "stg: log_softmax takes an axis as a type; write log_softmax(x, axis<1>)");
  return mistake();
}

/// Sum along a feature axis, which disappears: (8, 16) → (8) for axis<1>; with keepdim → (8, 1).
template <class S, class Sh, scalar_type T, int I> constexpr auto sum(expr<S, Sh, T> x, axis_t<I>) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: sum(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce_dropped<ir::opcode::reduce_sum, I>(x);
  else return mistake();
}
template <class S, class Sh, scalar_type T, int I> constexpr auto sum(expr<S, Sh, T> x, axis_t<I>, keepdim_t) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: sum(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce_kept<ir::opcode::reduce_sum, I>(x);
  else return mistake();
}

/// Mean along a feature axis, which disappears; with keepdim it stays with extent 1.
template <class S, class Sh, scalar_type T, int I, class... Keep>
constexpr auto mean(expr<S, Sh, T> x, axis_t<I> along, Keep... keep) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: mean(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: mean takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return sum(x, along, keep...) / detail::axis_length<I>(x);
  else return mistake();
}

/// Maximum along a feature axis, which disappears; with keepdim it stays with extent 1. Ties share the gradient.
template <class S, class Sh, scalar_type T, int I> constexpr auto max(expr<S, Sh, T> x, axis_t<I>) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: max(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: max takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce_dropped<ir::opcode::reduce_max, I>(x);
  else return mistake();
}
template <class S, class Sh, scalar_type T, int I> constexpr auto max(expr<S, Sh, T> x, axis_t<I>, keepdim_t) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: max(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: max takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce_kept<ir::opcode::reduce_max, I>(x);
  else return mistake();
}
/// Minimum along a feature axis: -max(-x), or the same of integers.
template <class S, class Sh, scalar_type T, int I, class... Keep>
constexpr auto min(expr<S, Sh, T> x, axis_t<I> along, Keep... keep) {
  return detail::reversed(max(detail::reversed(x), along, keep...));
}

/// log Σ exp along a feature axis, which disappears; with keepdim it stays with extent 1.
template <class S, class Sh, scalar_type T, int I> constexpr auto log_sum_exp(expr<S, Sh, T> x, axis_t<I>) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: log_sum_exp takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: log_sum_exp takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh> && is_real(T))
    return detail::reshape_to<decltype(detail::drop_axis<detail::axis_of<I, Sh>>(Sh()))>(
        log_sum_exp(x, axis_t<I>(), keepdim));
  else return mistake();
}
template <class S, class Sh, scalar_type T, int I> constexpr auto log_sum_exp(expr<S, Sh, T> x, axis_t<I>, keepdim_t) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: log_sum_exp takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: log_sum_exp takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh> && is_real(T)) {
    auto most = detail::shift_of(detail::reduce_kept<ir::opcode::reduce_max, I>(x));
    return most - log(detail::reduce_kept<ir::opcode::reduce_top_share, I>(x));
  } else {
    return mistake();
  }
}
/// log(softmax(x)) along a feature axis, the last unless told otherwise. Shape as x's.
template <class S, class Sh, scalar_type T, int I = -1>
constexpr auto log_softmax(expr<S, Sh, T> x, axis_t<I> along = axis_t<I>()) {
  static_assert(detail::has_axis<I, Sh>, "stg: log_softmax takes a value with feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: log_softmax takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh> && is_real(T)) {
    auto most = detail::shift_of(max(x, along, keepdim));
    return x - most + log(detail::reduce_kept<ir::opcode::reduce_top_share, I>(x));
  } else {
    return mistake();
  }
}
/// Softmax along a feature axis; softmax(x) without an axis normalises over a vertex's edges.
template <class S, class Sh, scalar_type T, int I> constexpr auto softmax(expr<S, Sh, T> x, axis_t<I> along) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: softmax(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: softmax takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh> && is_real(T)) {
    auto most = max(x, along, keepdim), share = detail::reduce_kept<ir::opcode::reduce_top_share, I>(x);
    ir::statement s = detail::statement_of<S, Sh, T>(*x.trace, ir::opcode::softmax_axes, x.id, most.id, share.id);
    s.attribute = std::int64_t(1) << detail::axis_of<I, Sh>;
    return detail::emit_with<S, Sh, T>(x.trace, s);
  } else {
    return mistake();
  }
}

/// The same numbers under another feature shape: reshape<8, 8>(x). Row-major, the number of elements stays.
template <auto... To, class S, class Sh, scalar_type T> constexpr auto reshape(expr<S, Sh, T> x) {
  constexpr bool few = sizeof...(To) <= ir::shape::max_rank;
  static_assert(few, "stg: reshape makes at most four axes; multiply some of them");
  constexpr bool is_short = detail::elements(Sh()).fits() && (detail::extent_of<To>::polynomial().fits() && ...);
  static_assert(is_short, "stg: reshape counts sums of at most four products of three names; give a part its own");
  using to = std::conditional_t<few && is_short, shape<detail::canonical_extent<detail::extent_of<To>>()...>, Sh>;
  constexpr bool same = detail::elements(Sh()) == detail::elements(to());
  static_assert(same, "stg: reshape keeps the number of elements; the new shape has another");
  if constexpr (same) return detail::reshape_to<to>(x);
  else return mistake();
}
/// Of numbers between the brackets: what to write.
template <Expression X, class... Number>
  requires(std::is_integral_v<Number>&&...)
constexpr auto reshape(X, Number...) {
  static_assert(sizeof...(Number) > 8, "stg: reshape takes the shape as constants of the program: reshape<8, 4>(x)");
  return mistake();
}

namespace detail {
template <int I> constexpr bool is_axis(axis_t<I>) { return true; }
template <class X> constexpr bool is_axis(X) {
  return false;
}  // overloads: nvcc's decltype of an argument is another type
template <int I> constexpr int number_of(axis_t<I>) { return I; }
template <class X> constexpr int number_of(X) { return 0; }

/// What must hold of concat's operands; the first rule that is broken is the only one that is false.
template <auto Axis, class A, class B> struct concat_rules {
  using a = operand_traits<A>;
  using b = operand_traits<B>;
  static constexpr bool ranks_agree = a::dims::rank == b::dims::rank;
  static constexpr int at = axis_of<number_of(Axis), typename a::dims>;
  static constexpr bool has_axis = !ranks_agree || (is_axis(Axis) && at >= 0 && at < a::dims::rank);
  static constexpr auto sum() {
    if constexpr (ranks_agree && has_axis)
      return sum_of_extents<extent_of<axis_extent<typename a::dims, at>>,
                            extent_of<axis_extent<typename b::dims, at>>>();
    else return extent_of<1>();
  }
  static constexpr bool is_short = decltype(sum())::polynomial().fits();
  static constexpr auto side_by_side() {
    if constexpr (ranks_agree && has_axis && is_short) {
      constexpr auto sequence = std::make_index_sequence<a::dims::rank>();
      constexpr auto length = canonical_extent<decltype(sum())>();
      using from_a = decltype(replace_axis<at, length>(typename a::dims(), sequence));
      using from_b = decltype(replace_axis<at, length>(typename b::dims(), sequence));
      return std::conditional_t<std::is_same_v<from_a, from_b>, std::type_identity<from_a>, std::type_identity<void>>();
    } else {
      return std::type_identity<shape<>>();
    }
  }
  using dims = typename decltype(side_by_side())::type;
  static constexpr bool extents_agree = !std::is_void_v<dims>;
  static constexpr bool fit = ranks_agree && has_axis && is_short && extents_agree;
  static constexpr bool one_kind = !fit || operand_rules<A, B>::one_kind;
  static constexpr bool one_direction = !fit || operand_rules<A, B>::one_direction;
  static constexpr bool types_agree = !fit || !one_direction || agree(a::type, b::type);
  static constexpr scalar_type type = common(a::type, b::type);
  static constexpr bool ok = fit && one_direction && types_agree;
};
}  // namespace detail

/// Two or more values one after the other along an axis: concat<axis<0>>(a, b). Other axes agree.
template <auto Axis, class S, class Sh, scalar_type T, class S2, class Sh2, scalar_type T2>
constexpr auto concat(expr<S, Sh, T> a, expr<S2, Sh2, T2> b) {
  using rules = detail::concat_rules<Axis, expr<S, Sh, T>, expr<S2, Sh2, T2>>;
  constexpr bool has_axis = rules::has_axis;
  static_assert(has_axis, "stg: concat takes an axis that both values have: concat<axis<0>>(a, b)");
  constexpr bool ranks_agree = rules::ranks_agree;
  static_assert(ranks_agree, "stg: concat takes values with the same number of axes");
  constexpr bool is_short = rules::is_short;
  static_assert(is_short, "stg: concat makes an extent of at most four parts; give some of them a name together");
  constexpr bool extents_agree = rules::extents_agree;
  static_assert(extents_agree, "stg: concat takes values whose other axes agree");
  constexpr bool one_kind = rules::one_kind;
  static_assert(one_kind, "stg: concat" STG_MIXES_KINDS);
  constexpr bool one_direction = rules::one_direction || !rules::one_kind;
  static_assert(one_direction, "stg: concat mixes in-edges and out-edges; aggregate one of them first");
  constexpr bool types_agree = rules::types_agree;
  static_assert(types_agree, "stg: concat mixes scalar types; write cast<f32>(x) or cast<f64>(x)");
  if constexpr (rules::ok) {
    using where = detail::join_t<S, S2>;
    using dims = typename rules::dims;
    tracer* const t = detail::tracer_of(a, b);
    const ir::value_id first = detail::seen_from<where>(detail::lift<rules::type>(t, a)),
                       second = detail::seen_from<where>(detail::lift<rules::type>(t, b));
    ir::statement s = detail::statement_of<where, dims, rules::type>(*t, ir::opcode::concat, first, second);
    s.axis = rules::at;
    return detail::emit_with<where, dims, rules::type>(t, s);
  } else {
    return mistake();
  }
}
template <auto Axis, Expression A, Expression B, Expression C, Expression... More>
constexpr auto concat(A a, B b, C c, More... more) {
  return concat<Axis>(concat<Axis>(a, b), c, more...);
}

/// Elements Begin up to but not including End of an axis, the last unless told otherwise: slice<0, 4>(x).
template <int Begin, int End, class S, auto... E, scalar_type T, int I = -1>
constexpr auto slice(expr<S, shape<E...>, T> x, axis_t<I> = axis_t<I>()) {
  constexpr bool on_axis = detail::has_axis<I, shape<E...>>;
  static_assert(on_axis, "stg: slice takes one of the value's feature axes; axis<0> is the first");
  if constexpr (on_axis) {
    constexpr int at = detail::axis_of<I, shape<E...>>;
    constexpr auto length = axis_extent<shape<E...>, at>;
    constexpr bool inside =
        Begin >= 0 && Begin < End && (RuntimeExtent<decltype(length)> || End <= static_cast<int>(length));
    static_assert(inside, "stg: slice<begin, end> lies outside of the axis; 0 <= begin < end <= extent");
    using to = decltype(detail::replace_axis < at,
                        inside ? End - Begin : 1 > (shape<E...>(), std::make_index_sequence<sizeof...(E)>()));
    ir::statement s = detail::statement_of<S, to, T>(*x.trace, ir::opcode::slice, x.id);
    s.axis = at;
    s.attribute = inside ? Begin : 0;
    return detail::emit_with<S, to, T>(x.trace, s);
  } else {
    return mistake();
  }
}
/// Of numbers between the brackets: what to write. Of a bound that is no constant compilers show the line of the name.
template <Expression X, class... Number>
  requires(std::is_integral_v<Number>&&...)
constexpr auto slice(X, Number...) {  // stg: slice takes its bounds as constants of the program: slice<0, 4>(x)
  static_assert(sizeof...(Number) > 8, "stg: slice takes its bounds as constants of the program: slice<0, 4>(x)");
  return mistake();
}

// Called on what was not read.
STG_TAKES_VALUES(sum)
STG_TAKES_VALUES(mean)
STG_TAKES_VALUES(max)
STG_TAKES_VALUES(min)
STG_TAKES_VALUES(log_sum_exp)
STG_TAKES_VALUES(softmax)
STG_TAKES_VALUES(log_softmax)
STG_TAKES_VALUES_FOR(reshape, To..., auto... To)
STG_TAKES_VALUES_FOR(slice, STG_BOTH(Begin, End), int Begin, int End)
STG_TAKES_VALUES_FOR(concat, Axis, auto Axis)
STG_LACKS_BRACKETS_OF(concat, 2, "concat<axis<0>>(a, b)")
STG_INSTEAD_FOR((auto Axis, class X), sizeof(X) == 0,
                "stg: values stand side by side, not in braces: concat<axis<0>>(a, b)",
                constexpr mistake concat(std::initializer_list<X>, detail::any = {}))
STG_INSTEAD_FOR((class X), sizeof(X) == 0, "stg: values stand side by side, not in braces: concat<axis<0>>(a, b)",
                constexpr mistake concat(std::initializer_list<X>, detail::any = {}))
STG_TAKES_ARGUMENTS(concat, 2, 97, "concat<axis<0>>(a, b)")

// Arguments of one type: overloads of their own win over the standard library's under `using namespace std;`.
template <Unread X>
STG_SAYS_UNREAD(max, "values", X)
STG_SAYS_STEPS(max, X) constexpr auto max(const X& a, const X& b) {
  STG_CHECK_UNREAD(max, "values", X);
  STG_CHECK_STEPS(max, X);
  STG_READS_ARGUMENTS(X, STG_BOTH(a, b), max);
}
template <Unread X>
STG_SAYS_UNREAD(min, "values", X)
STG_SAYS_STEPS(min, X) constexpr auto min(const X& a, const X& b) {
  STG_CHECK_UNREAD(min, "values", X);
  STG_CHECK_STEPS(min, X);
  STG_READS_ARGUMENTS(X, STG_BOTH(a, b), min);
}

}  // namespace stg
