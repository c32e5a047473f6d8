// Reductions along the feature axes of one value: sum, mean, max, min, log_sum_exp, softmax, log_softmax.
#pragma once

#include <cstdint>      // int64_t
#include <type_traits>  // is_same_v
#include <utility>      // make_index_sequence

#include <stg/base/instead.hpp>    // STG_INSTEAD_FOR
#include <stg/dsl/build.hpp>       // emit, statement_of
#include <stg/op/aggregate.hpp>    // softmax
#include <stg/op/arithmetic.hpp>   // operator-, operator*
#include <stg/op/elementary.hpp>   // exp
#include <stg/op/operation.hpp>    // operation
#include <stg/op/reshape.hpp>      // axis, reshape_to
#include <stg/op/rounding.hpp>     // shift_of
#include <stg/op/shape_rules.hpp>  // reduced_axes
#include <stg/op/unread.hpp>       // STG_TAKES_VALUES

namespace stg::op {

/// Along the axes whose bit is set in the attribute, which keep an extent of 1.
template <ir::opcode Code> struct axis_reduction : operation<Code, category::feature, 1> {
  static constexpr rule wrong_shape(const ir::program&, const ir::statement& s) { return reduced_axes(s); }
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
  static constexpr rule wrong_shape(const ir::program&, const ir::statement& s) { return reduced_axes(s); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto weighed = d.cotangent() * d.result();
    d.add(0, weighed - d.reduce_sum(weighed, d.statement().axes()) * d.result());
  }
};

}  // namespace stg::op

namespace stg {

/// Asks a reduction to keep the axis with extent 1: sum(x, axis<1>, keepdim).
struct keepdim_t {};
inline constexpr keepdim_t keepdim = keepdim_t();

namespace detail {

/// A reduction along one axis that keeps it with extent 1.
template <ir::opcode Code, int I, class S, auto... E, scalar_type T>
constexpr auto reduce_kept(expr<S, shape<E...>, T> x) {
  constexpr int at = axis_of<I, shape<E...>>;
  using kept = decltype(replace_axis<at, 1>(shape<E...>(), std::make_index_sequence<sizeof...(E)>()));
  ir::statement s = statement_of<S, kept, T>(*x.trace, Code, x.id);
  s.set_only_axis(at);
  return emit_with<S, kept, T>(x.trace, s);
}
/// What such a reduction gives of x, as the caller wants it: with the axis, or without it as in NumPy.
template <int I, class S, class Sh, scalar_type T, class Kept> constexpr auto kept_or_dropped(expr<S, Sh, T>, Kept y) {
  return reshape_to<decltype(drop_axis<axis_of<I, Sh>>(Sh()))>(y);
}
template <int I, class X, class Kept> constexpr auto kept_or_dropped(X, Kept y, keepdim_t) { return y; }
/// A reduction along one axis.
template <ir::opcode Code, int I, class X, class... Keep> constexpr auto reduce(X x, Keep... keep) {
  return kept_or_dropped<I>(x, reduce_kept<Code, I>(x), keep...);
}
/// Whether nothing follows the axis but, perhaps, keepdim.
template <class... Keep>
concept MayKeep = sizeof...(Keep) <= 1 && (std::is_same_v<Keep, keepdim_t> && ...);
/// The number of elements along an axis, to divide by.
template <int I, class S, class Sh, scalar_type T> constexpr auto axis_length(expr<S, Sh, T> x) {
  constexpr auto length = axis_extent<Sh, axis_of<I, Sh>>;
  if constexpr (RuntimeExtent<decltype(length)>) {
    ir::statement s = statement_of<space::graph, shape<>, T>(*x.trace, ir::opcode::extent_value);
    s.set_counted(x.trace->program.intern(polynomial_from(length)));
    return emit_with<space::graph, shape<>, T>(x.trace, s);
  } else {
    return constant<T>(x.trace, length);
  }
}

}  // namespace detail

// An axis decides a shape, so it is part of the type; what a person writes out of habit gets its own sentence.
#define STG_TAKES_AXIS_IN_TYPE(function)                                                         \
  STG_INSTEAD_FOR((Expression X), sizeof(X) == 0,                                                \
                  "stg: " #function " takes an axis as a type; write " #function "(x, axis<1>)", \
                  constexpr mistake function(const X&, int))
STG_TAKES_AXIS_IN_TYPE(sum)
STG_TAKES_AXIS_IN_TYPE(mean)
STG_TAKES_AXIS_IN_TYPE(softmax)
STG_TAKES_AXIS_IN_TYPE(log_softmax)
#undef STG_TAKES_AXIS_IN_TYPE

/// Sum along a feature axis, which disappears: (8, 16) → (8) for axis<1>; with keepdim → (8, 1).
template <class S, class Sh, scalar_type T, int I, class... Keep>
  requires detail::MayKeep<Keep...>
constexpr auto sum(expr<S, Sh, T> x, axis_t<I>, Keep... keep) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: sum(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce<ir::opcode::reduce_sum, I>(x, keep...);
  else return mistake();
}

/// Mean along a feature axis, which disappears; with keepdim it stays with extent 1.
template <class S, class Sh, scalar_type T, int I, class... Keep>
  requires detail::MayKeep<Keep...>
constexpr auto mean(expr<S, Sh, T> x, axis_t<I> along, Keep... keep) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: mean(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: mean takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return sum(x, along, keep...) / detail::axis_length<I>(x);
  else return mistake();
}

/// Maximum along a feature axis, which disappears; with keepdim it stays with extent 1. Ties share the gradient.
template <class S, class Sh, scalar_type T, int I, class... Keep>
  requires detail::MayKeep<Keep...>
constexpr auto max(expr<S, Sh, T> x, axis_t<I>, Keep... keep) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: max(x, axis<i>) takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_number(T), "stg: max takes numbers; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh>) return detail::reduce<ir::opcode::reduce_max, I>(x, keep...);
  else return mistake();
}
/// Minimum along a feature axis: -max(-x), or the same of integers.
template <class S, class Sh, scalar_type T, int I, class... Keep>
  requires detail::MayKeep<Keep...>
constexpr auto min(expr<S, Sh, T> x, axis_t<I> along, Keep... keep) {
  return detail::reversed(max(detail::reversed(x), along, keep...));
}

/// log Σ exp along a feature axis, which disappears; with keepdim it stays with extent 1.
template <class S, class Sh, scalar_type T, int I, class... Keep>
  requires detail::MayKeep<Keep...>
constexpr auto log_sum_exp(expr<S, Sh, T> x, axis_t<I>, Keep... keep) {
  static_assert(detail::has_axis<I, Sh>,
                "stg: log_sum_exp takes one of the value's feature axes; axis<0> is the first");
  static_assert(is_real(T), "stg: log_sum_exp takes a real value; write cast<f32>(x)");
  if constexpr (detail::has_axis<I, Sh> && is_real(T)) {
    auto most = detail::shift_of(detail::reduce_kept<ir::opcode::reduce_max, I>(x));
    return detail::kept_or_dropped<I>(x, most - log(detail::reduce_kept<ir::opcode::reduce_top_share, I>(x)), keep...);
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
    s.set_only_axis(detail::axis_of<I, Sh>);
    return detail::emit_with<S, Sh, T>(x.trace, s);
  } else {
    return mistake();
  }
}

// Called on what was not read.
STG_TAKES_VALUES(sum)
STG_TAKES_VALUES(mean)
STG_TAKES_VALUES(max)
STG_TAKES_VALUES(min)
STG_TAKES_VALUES(log_sum_exp)
STG_TAKES_VALUES(softmax)
STG_TAKES_VALUES(log_softmax)
STG_TAKES_TWO_VALUES_OF_ONE_TYPE(max)
STG_TAKES_TWO_VALUES_OF_ONE_TYPE(min)

}  // namespace stg
