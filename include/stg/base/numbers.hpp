// What a user's operation computes with: a number, or a register of them, with operators and functions alike.
#pragma once

#include <stg/base/config.hpp>  // STG_LANEWISE
#include <stg/base/math.hpp>    // functions, splat

namespace stg::math {

/// Of two numbers whether something holds, in every lane: what `select` takes.
template <class M> struct truths {
  M holds;
  STG_LANEWISE constexpr explicit truths(const M& x) : holds(x) {}
  STG_LANEWISE constexpr truths(const truths& x) : holds(x.holds) {}
};

/// A float, a double, or a register of them. A number of the program text is one in every lane.
///
///   auto value(auto x, auto cap) { return cap * tanh(x / cap); }       // x and cap are such
///
/// Copies are written out: so a function that is not inlined takes and gives them by their address, and need not be
/// compiled for the instruction set of its caller.
template <class T> class numbers {
 public:
  STG_LANEWISE constexpr explicit numbers(const T& of) requires(!std::is_arithmetic_v<T>) : x(of) {}
  STG_LANEWISE constexpr numbers(const numbers& other) : x(other.x) {}
  STG_LANEWISE constexpr numbers& operator=(const numbers& other) {
    x = other.x;
    return *this;
  }
  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  STG_LANEWISE constexpr numbers(Number of) : x(as_element(of)) {}

  /// The number or register itself, for what is not written here.
  STG_LANEWISE constexpr const T& get() const { return x; }

  // A macro without a semicolon is taken for the beginning of what follows.
  // clang-format off
#define STG_OPERATOR(op)                                                                  \
  STG_LANEWISE friend constexpr numbers operator op(const numbers& a, const numbers& b) { \
    return numbers(static_cast<T>(a.x op b.x));                                           \
  }
  STG_OPERATOR(+) STG_OPERATOR(-) STG_OPERATOR(*) STG_OPERATOR(/)
#undef STG_OPERATOR
  STG_LANEWISE friend constexpr numbers operator-(const numbers& a) { return numbers(static_cast<T>(-a.x)); }

#define STG_COMPARISON(op) \
  STG_LANEWISE friend constexpr auto operator op(const numbers& a, const numbers& b) { return truths(a.x op b.x); }
  STG_COMPARISON(<) STG_COMPARISON(<=) STG_COMPARISON(>) STG_COMPARISON(>=) STG_COMPARISON(==) STG_COMPARISON(!=)
#undef STG_COMPARISON

  /// a where it holds, else b.
  template <class M>
  STG_LANEWISE friend constexpr numbers select(const truths<M>& m, const numbers& a, const numbers& b) {
    return numbers(static_cast<T>(m.holds ? a.x : b.x));
  }
  STG_LANEWISE friend constexpr numbers min(const numbers& a, const numbers& b) { return select(b < a, b, a); }
  STG_LANEWISE friend constexpr numbers max(const numbers& a, const numbers& b) { return select(a < b, b, a); }
  STG_LANEWISE friend constexpr numbers abs(const numbers& a) { return select(a < numbers(T{}), -a, a); }

#define STG_FUNCTION(name) \
  STG_LANEWISE friend numbers name(const numbers& a) { return numbers(functions<T>::name(a.x)); }
  STG_FUNCTION(exp) STG_FUNCTION(exp2) STG_FUNCTION(expm1) STG_FUNCTION(log) STG_FUNCTION(log2) STG_FUNCTION(log1p)
  STG_FUNCTION(sqrt) STG_FUNCTION(cbrt) STG_FUNCTION(erf)
  STG_FUNCTION(sin) STG_FUNCTION(cos) STG_FUNCTION(asin) STG_FUNCTION(acos) STG_FUNCTION(atan)
  STG_FUNCTION(sinh) STG_FUNCTION(cosh) STG_FUNCTION(tanh)
  STG_FUNCTION(floor) STG_FUNCTION(ceil) STG_FUNCTION(round)
#undef STG_FUNCTION
                  STG_LANEWISE friend numbers pow(const numbers& a, const numbers& b) {
    return numbers(functions<T>::pow(a.x, b.x));
  }
  STG_LANEWISE friend numbers fmod(const numbers& a, const numbers& b) { return numbers(functions<T>::fmod(a.x, b.x)); }
  // clang-format on

 private:
  /// In the digits that T has: those of a long double stay.
  template <class Number> STG_LANEWISE static constexpr T as_element(Number of) {
    if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(of);
    else return splat<T>(static_cast<double>(of));
  }

  T x;
};

}  // namespace stg::math
