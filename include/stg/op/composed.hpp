// Functions that are written in others, as a user would write them: square reciprocal clamp hardtanh silu gelu softplus
// selu one_hot. Gradients and kernels are those of their parts.
#pragma once

#include <numbers>  // sqrt2, inv_sqrtpi

#include <stg/dsl/written.hpp>    // written
#include <stg/op/arithmetic.hpp>  // operator*, operator/, min, max
#include <stg/op/compare.hpp>     // select, operator<=
#include <stg/op/elementary.hpp>  // exp, log1p, erf, tanh, sigmoid, elu
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg {

/// x · x.
template <class S, class Sh, scalar_type T> constexpr auto square(expr<S, Sh, T> x) {
  static_assert(is_number(T), "stg: square takes a number; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::mul, T>(x, x);
}

/// 1 / x.
template <class S, class Sh, scalar_type T> constexpr auto reciprocal(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: reciprocal takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::div, T>(1.0, x);
}

namespace detail {
/// Notes two numbers of which the lower bound is the larger.
template <class X, class A, class B> constexpr void check_bounds(X x, A low, B high, int line) {
  if (high < low) x.trace->note(ir::mistake::bounds_exchanged, text("clamp"), line);
}
}  // namespace detail

/// min(max(x, low), high): x between two numbers or values. The gradient is x's where low <= x <= high, bounds
/// included, else it goes to the bound.
template <class S, class Sh, scalar_type T, class A, class B>
STG_SAYS_PLACES("clamp", detail::operand_rules<expr<S, Sh, T>, A>)
STG_SAYS_TYPES("clamp", detail::operand_rules<expr<S, Sh, T>, A>)
    STG_SAYS_PLACES("clamp", detail::operand_rules<expr<S, Sh, computed_in(T)>, B>)
        STG_SAYS_TYPES("clamp", detail::operand_rules<expr<S, Sh, computed_in(T)>, B>) constexpr auto clamp(
            expr<S, Sh, T> x, A low, B high, here called = here()) {
  using above = detail::operand_rules<expr<S, Sh, T>, A>;
  constexpr scalar_type computed = computed_in(T);  // of what only stores it is said once
  using below = detail::operand_rules<expr<S, Sh, computed>, B>;
  STG_CHECK_PLACES(above, "clamp");
  STG_CHECK_TYPES(above, "clamp");
  STG_CHECK_PLACES(below, "clamp");
  STG_CHECK_TYPES(below, "clamp");
  static_assert(is_number(computed), "stg: clamp takes numbers; write cast<f32>(x)");
  if constexpr (above::ok && below::ok) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>)
      detail::check_bounds(x, static_cast<double>(low), static_cast<double>(high), called.line);
    auto raised = detail::pointwise<ir::opcode::max, above::type>(x, low);
    using both = detail::operand_rules<decltype(raised), B>;
    return detail::pointwise<ir::opcode::min, both::type>(raised, high);
  } else {
    return mistake();
  }
}
/// Three values of one signature: an overload of their own wins over std::clamp under `using namespace std;`.
template <class S, class Sh, scalar_type T>
constexpr auto clamp(expr<S, Sh, T> x, expr<S, Sh, T> low, expr<S, Sh, T> high) {
  static_assert(is_number(T), "stg: clamp takes numbers; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::min, T>(detail::pointwise<ir::opcode::max, T>(x, low), high);
}

/// 1 at the label's place among n, 0 elsewhere: (n) real numbers of the type that they meet, in the label's space. A
/// label beyond them gives zeros.
template <auto N, scalar_type T = scalar_type::real, class S, class Sh, scalar_type L>
constexpr auto one_hot(expr<S, Sh, L> label) {
  constexpr bool is_label = Sh::rank == 0 && L == scalar_type::i32;
  constexpr bool is_short = detail::extent_of<N>::polynomial().fits();
  static_assert(is_label, "stg: one_hot takes a label, one number of type i32: one_hot<7>(v(label))");
  static_assert(is_short, "stg: one_hot takes a sum of at most four products of three names; give a part its own");
  if constexpr (is_label && is_short) {
    constexpr auto n = detail::canonical_extent<detail::extent_of<N>>();
    auto places = detail::emit<space::graph, shape<n>, scalar_type::i32>(label.trace, ir::opcode::iota);
    return cast<T>(places == label);
  } else {
    return mistake();
  }
}

/// x between two numbers. The gradient at the bounds is 0, as relu's at 0 is. Collobert, thesis, 2004.
template <class S, class Sh, scalar_type T>
constexpr auto hardtanh(expr<S, Sh, T> x, written low = -1, written high = 1) {
  static_assert(is_real(T), "stg: hardtanh takes a real value; write cast<f32>(x)");
  detail::check_bounds(x, low.value, high.value, low.line);
  return select(x <= low.value, low.value, select(x >= high.value, high.value, x));
}

/// x · sigmoid(x), also called swish. Elfwing et al., Neural Networks 107, 2018.
template <class S, class Sh, scalar_type T> constexpr auto silu(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: silu takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::mul, T>(x, detail::pointwise<ir::opcode::sigmoid>(x));
}

/// How gelu is computed: by erf, or by the tanh that approximates it.
enum class approximate : int { none, tanh };

/// x Φ(x) with Φ the standard normal distribution: x/2 (1 + erf(x/√2)), or x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).
/// Hendrycks & Gimpel, arXiv:1606.08415.
template <class S, class Sh, scalar_type T> constexpr auto gelu(expr<S, Sh, T> x, approximate how = approximate::none) {
  static_assert(is_real(T), "stg: gelu takes a real value; write cast<f32>(x)");
  if constexpr (is_real(T)) {
    const double slope = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // √(2/π)
    const auto from_minus_1 =
        how == approximate::none ? erf(x * (1 / std::numbers::sqrt2)) : tanh(slope * (x + 0.044715 * (x * x * x)));
    return 0.5 * x * (1.0 + from_minus_1);
  } else {
    return x;
  }
}

/// log(1 + exp(beta · x)) / beta, and x itself where beta · x is above the threshold; finite with a finite gradient for
/// every finite x. Dugas et al., NeurIPS 2000.
template <class S, class Sh, scalar_type T>
constexpr auto softplus(expr<S, Sh, T> x, double beta = 1, double threshold = 20) {
  static_assert(is_real(T), "stg: softplus takes a real value; write cast<f32>(x)");
  if constexpr (is_real(T)) {
    auto z = x * beta;  // the branch not taken is kept finite, so that 0 times its slope is 0
    return select(z > threshold, x, log1p(exp(min(z, threshold))) / beta);
  } else {
    return x;
  }
}

/// scale · elu(x, alpha) with the two numbers for which activations keep mean 0 and variance 1.
/// Klambauer et al., NeurIPS 2017, equation 2.
template <class S, class Sh, scalar_type T> constexpr auto selu(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: selu takes a real value; write cast<f32>(x)");
  if constexpr (is_real(T)) return 1.0507009873554804934 * elu(x, 1.6732632423543772848);
  else return x;
}

// Called on what was not read.
STG_TAKES_VALUES(silu)
STG_TAKES_VALUES(gelu)
STG_TAKES_VALUES(softplus)
STG_TAKES_A_NUMBER(softplus, 1, "softplus(x, 1.0, 20.0)")
STG_TAKES_VALUES(selu)
STG_TAKES_VALUES(hardtanh)
STG_TAKES_A_NUMBER(hardtanh, 1, "hardtanh(x, -1.0, 1.0)")
STG_TAKES_VALUES(square)
STG_TAKES_VALUES(reciprocal)
STG_TAKES_VALUES(clamp)
STG_TAKES_VALUES_FOR(one_hot, N, auto N)
STG_LACKS_BRACKETS_OF(one_hot, 1, "one_hot<7>(v(label))")
STG_TAKES_ARGUMENTS(clamp, 3, 3, "clamp(x, -1.0, 1.0)")

// Arguments of one type: overloads of their own win over the standard library's under `using namespace std;`.
template <Unread X>
STG_SAYS_UNREAD(clamp, "values", X)
STG_SAYS_STEPS(clamp, X) constexpr auto clamp(const X& x, const X& low, const X& high) {
  STG_CHECK_UNREAD(clamp, "values", X);
  STG_CHECK_STEPS(clamp, X);
  STG_READS_ARGUMENTS(X, STG_THREE(x, low, high), clamp);
}

}  // namespace stg
