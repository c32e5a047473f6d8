// How the values of a vertex's edges are spread: variance and standard deviation; and how many there are.
#pragma once

#include <stg/op/aggregate.hpp>   // aggregation, sum
#include <stg/op/compare.hpp>     // operator<=, select, cast
#include <stg/op/elementary.hpp>  // sqrt
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg::op {

/// The mean squared distance from the mean; 0 over no edges. The gradient of an x is 2 (x - mean) / n: the way through
/// the mean adds up to nothing, and taking it would cost another sweep.
///
/// `left` is the mean of what the mean leaves of x: 0 but for rounding, which of n equal numbers c takes as much as
/// n · c · 1e-7, and the distances of equal messages would be nothing else. It comes of the loop that sums the squares.
/// Chan, Golub and LeVeque, The American Statistician 37, 1983 (the corrected two-pass algorithm).
struct var_edges : aggregation<ir::opcode::var_edges> {
  static constexpr op::domain domain{};
  static constexpr bool expands = true;
  static constexpr int cost = 5;
  template <class Context> static constexpr auto expand(Context& c) {
    const moments<decltype(c.zero())> of(c);
    auto squares = c.mean_of(c.sum_owned(of.apart * of.apart));
    return c.max(squares - of.left * of.left, c.zero());
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    const moments<decltype(d.zero())> of(d);
    auto apart = d.operand(0) - d.gather_owner(of.mean + d.detach(of.left));  // what rounding took is no function of x
    d.add(0, d.gather_owner(d.number(2) * d.mean_of(d.cotangent())) * apart);
  }

 private:
  /// The mean of x, x less that, and the mean of that.
  template <class Value> struct moments {
    Value mean, apart, left;
    template <class Context>
    explicit constexpr moments(Context& c)
        : mean(c.mean_of(c.sum_owned(c.operand(0)))),
          apart(c.operand(0) - c.gather_owner(mean)),
          left(c.mean_of(c.sum_owned(apart))) {}
  };
};

}  // namespace stg::op

namespace stg {

/// Variance over the vertex's edges, divided by their number n as PyG's aggregation is (not by n - 1): the mean of
/// (x - mean)², taken in two steps, so that no digits cancel. 0 over no edges and over one, and over equal messages c
/// but for rounding, 1e-14 c².
template <class S, class Sh, scalar_type T> constexpr auto var(expr<S, Sh, T> message) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: var aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_real(T), "stg: var takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T)) return detail::aggregate<ir::opcode::var_edges>(message);
  else return message;
}

/// Standard deviation over the vertex's edges, √var. A variance of `smallest` or less counts as 0 and has gradient 0,
/// as in PyG: nearly equal messages would else get a slope from nothing but rounding. 0 over no edges and over one.
template <class S, class Sh, scalar_type T> constexpr auto stddev(expr<S, Sh, T> message, double smallest = 1e-5) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: stddev aggregates an edge value; read the vertex value as e.src(x)");
  static_assert(is_real(T), "stg: stddev takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T)) {
    auto variance = var(message);
    auto equal = variance <= smallest;  // not of NaN
    return select(equal, 0.0, sqrt(select(equal, 1.0, variance)));
  } else {
    return message;
  }
}

/// For how many of the vertex's edges a condition holds, as a real number of the type that it meets; shape as the
/// condition's. How many edges there are is v.in_degree().
template <scalar_type T = scalar_type::real, class S, class Sh, scalar_type B>
constexpr auto count(expr<S, Sh, B> holds) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: count takes a condition on edges, as e.src(x) > 0.0");
  static_assert(B == scalar_type::boolean,
                "stg: count takes a condition, as e.src(x) > 0.0; for all edges v.in_degree()");
  if constexpr (detail::is_edge<S> && B == scalar_type::boolean) return sum(cast<T>(holds));
  else return holds;
}

// Called on what was not read.
STG_TAKES_VALUES(var)
STG_TAKES_VALUES(stddev)
STG_TAKES_VALUES(count)

}  // namespace stg
