// The switch of a copy of the headers in which every rule can be broken: the environment says which mutant it is.
#pragma once

#include <cstdlib>      // getenv, atoi
#include <type_traits>  // is_constant_evaluated

namespace stg::mutation {

/// STG_MUTANT=12 is mutant 12, STG_MUTANT=12:7 the one of the seventh operation; none is the program as it is.
struct choice {
  int number = 0, code = -1;
};
inline const choice& chosen() {
  static const choice one = [] {
    choice c;
    const char* given = std::getenv("STG_MUTANT");
    if (given == nullptr) return c;
    c.number = std::atoi(given);
    while (*given != 0 && *given != ':') ++given;
    if (*given == ':') c.code = std::atoi(given + 1);
    return c;
  }();
  return one;
}

/// Tests that are static_asserts see the mutant that a macro names.
#ifndef STG_MUTANT
#define STG_MUTANT 0
#endif
constexpr bool on(int number) {
  return std::is_constant_evaluated() ? STG_MUTANT == number : chosen().number == number;
}
template <class Code> constexpr bool on(int number, Code code) {
  return on(number) && chosen().code == static_cast<int>(code);
}

/// A term with the other sign, or twice.
template <class Value> constexpr Value scaled(bool minus, bool twice, Value x) {
  return minus ? -x : twice ? x + x : x;
}

/// An operator or one that is nearly it.
template <class A, class B> constexpr bool less(int number, const A& a, const B& b) {
  return on(number) ? a <= b : a < b;
}
template <class A, class B> constexpr bool less_equal(int number, const A& a, const B& b) {
  return on(number) ? a < b : a <= b;
}
template <class A, class B> constexpr bool greater(int number, const A& a, const B& b) {
  return on(number) ? a >= b : a > b;
}
template <class A, class B> constexpr bool greater_equal(int number, const A& a, const B& b) {
  return on(number) ? a > b : a >= b;
}
template <class A, class B> constexpr auto add(int number, const A& a, const B& b) {
  return on(number) ? a - b : a + b;
}
template <class A, class B> constexpr auto subtract(int number, const A& a, const B& b) {
  return on(number) ? a + b : a - b;
}
template <class T> constexpr auto subtract(int number, T* const& a, T* const& b) { return on(number) ? b - a : a - b; }

/// Another space, scalar type, extent or shape.
template <class Value> constexpr Value other(bool broken, Value x) {
  if (!broken) return x;
  if constexpr (requires { x.axes; }) {
    if (x.rank == 0) x.axes[x.rank++].code = 7;
    else x.axes[0].code += 1;
    return x;
  } else if constexpr (requires { x.code; }) {
    x.code += 1;
    return x;
  } else if constexpr (requires { x.kind; }) {
    x.kind = other(true, x.kind);
    return x;
  } else {
    return static_cast<Value>((static_cast<int>(x) + 1) % 3);
  }
}

}  // namespace stg::mutation
