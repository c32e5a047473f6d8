// The feature axes of one value, and other shapes of it: reshape, concat, slice, broadcasting.
#pragma once

#include <initializer_list>  // initializer_list
#include <string_view>       // string_view
#include <type_traits>       // conditional_t, is_same_v, type_identity
#include <utility>           // make_index_sequence

#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/base/instead.hpp>  // STG_INSTEAD_FOR
#include <stg/dsl/build.hpp>     // emit, statement_of
#include <stg/op/operation.hpp>  // operation
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES_FOR

namespace stg::op {

/// One operand whose space and type the result keeps; the statement brings its own shape.
template <ir::opcode Code> struct reshaping : operation<Code, category::feature, 1> {
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    s.where = p.operand(s, 0).where;
    s.type = p.operand(s, 0).type;
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
    const int axis = d.statement().part_axis();
    d.add(0, d.slice(d.cotangent(), axis, ir::extent(0), d.operand(0).dims()));
    d.add(1, d.slice(d.cotangent(), axis, d.operand(0).dims().axes[axis], d.operand(1).dims()));
  }
};

/// Part of an axis: from the attribute (an extent code), as long as the statement's shape says.
struct slice : reshaping<ir::opcode::slice> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "part of an axis";
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.pad(d.cotangent(), d.statement().part_axis(), d.statement().beginning(), d.operand(0).dims()));
  }
};

/// Zeros, with the operand placed into them from the attribute on: the gradient of slice.
struct pad : reshaping<ir::opcode::pad> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr std::string_view in_words = "a longer axis";
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.slice(d.cotangent(), d.statement().part_axis(), d.statement().beginning(), d.operand(0).dims()));
  }
};

}  // namespace stg::op

namespace stg {

template <int I> struct axis_t {};
/// Feature axis I, counted from 0; axis<-1> is the last.
template <int I> inline constexpr axis_t<I> axis = axis_t<I>();

namespace detail {

template <int I, class Sh> inline constexpr int axis_of = I < 0 ? I + Sh::rank : I;
template <int I, class Sh> inline constexpr bool has_axis = axis_of<I, Sh> >= 0 && axis_of<I, Sh> < Sh::rank;

template <class To, class S, class Sh, scalar_type T> constexpr auto reshape_to(expr<S, Sh, T> x) {
  return emit<S, To, T>(x.trace, ir::opcode::reshape, x.id);
}

}  // namespace detail

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

/// The rules of concat's operands; the first broken rule is the only false one.
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
    s.set_part_axis(rules::at);
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
    s.set_part_axis(at);
    s.set_beginning(ir::extent(inside ? Begin : 0));
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

}  // namespace stg
