// initialized: the beginning of a parameter, said in its declaration.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/dsl/symbol.hpp>  // symbol
#include <stg/ir/start.hpp>    // start

namespace stg {

/// The beginnings of parameters; `initialize` has the formulas, which are PyTorch's.
namespace init {

/// Rules that ask for an axis: fan-in and fan-out are the last two extents, and a parameter of one axis (n) counts as
/// (n, 1), like a q that scores a row by x · q.
struct of_fans {
  ir::start begins;
};

constexpr ir::start constant(double value) { return {ir::start::rule::constant, value}; }
inline constexpr ir::start zeros = constant(0);
inline constexpr ir::start ones = constant(1);
/// In [low, high).
constexpr ir::start uniform(double low, double high) { return {ir::start::rule::uniform, low, high}; }
constexpr ir::start normal(double mean, double standard_deviation) {
  return {ir::start::rule::normal, mean, standard_deviation};
}
inline constexpr of_fans glorot_uniform = of_fans{{ir::start::rule::glorot_uniform}};
inline constexpr of_fans glorot_normal = of_fans{{ir::start::rule::glorot_normal}};
/// The slope is a following leaky relu's; with √5 the bound is 1 / √in, as in PyTorch's Linear.
constexpr of_fans kaiming_uniform(double slope = 0) { return {{ir::start::rule::kaiming_uniform, slope}}; }

}  // namespace init

namespace detail {
template <class S, bool Trained> inline constexpr bool is_parameter = Trained&& std::is_same_v<S, space::graph>;

/// The same symbol with a beginning, if it has none yet: a layer's choice for its parameters, unless the user said
/// otherwise. Anything else as it is.
template <class X> constexpr X begun(X x, ir::start) { return x; }
template <class N, class Sh, scalar_type T, class O>
constexpr auto begun(symbol<N, space::graph, Sh, T, true, O> x, ir::start with) {
  if (!x.begins.is_said()) x.begins = with;
  return x;
}
template <class X> constexpr X begun(X x, init::of_fans with) { return begun(x, with.begins); }
}  // namespace detail

#define STG_CHECK_INITIALIZED(S, R)                         \
  constexpr bool is_parameter = detail::is_parameter<S, R>; \
  static_assert(                                            \
      is_parameter,                                         \
      "stg: initialized takes a parameter, or a trainable scalar: initialized(parameter<\"g\", 16>, init::ones)")

/// A parameter with its numbers from `initialize`. Without this it begins with Glorot's numbers if it has two axes or
/// more and with 0 otherwise, or as its layer says: a factor, such as a gain, has to begin with another number than 0
/// to learn.
///
///   inline constexpr auto gain = stg::initialized(stg::parameter<"gain", 16>, stg::init::ones);
template <class N, class S, class Sh, scalar_type T, bool R, class O>
constexpr auto initialized(symbol<N, S, Sh, T, R, O> x, ir::start with) {
  STG_CHECK_INITIALIZED(S, R);
  x.begins = with;
  return x;
}
template <class N, class S, class Sh, scalar_type T, bool R, class O>
constexpr auto initialized(symbol<N, S, Sh, T, R, O> x, init::of_fans with) {
  STG_CHECK_INITIALIZED(S, R);
  constexpr bool has_fans = Sh::rank > 0 || !is_parameter;
  static_assert(has_fans,
                "stg: what begins by its fans has an axis; give a scalar a number: init::constant(0.5), init::ones");
  x.begins = with.begins;
  return x;
}

#undef STG_CHECK_INITIALIZED

// The beginning before the parameter, and a bare number: what to write.
template <class Begin, Symbol X> constexpr X initialized(const Begin&, const X& x) {
  constexpr bool is_first = sizeof(X) == 0;
  static_assert(is_first, "stg: initialized takes the parameter first: initialized(parameter<\"g\", 16>, init::ones)");
  return x;
}
template <Symbol X> constexpr X initialized(const X& x, double) {
  constexpr bool is_a_rule = sizeof(X) == 0;
  static_assert(is_a_rule,
                "stg: a parameter begins with a rule: initialized(parameter<\"g\", 16>, init::constant(0.5))");
  return x;
}

}  // namespace stg
