// A number in a call, with its line, and the line of a call: a wrong number is a mistake that only the traced program
// shows.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <concepts>     // integral
#include <cstdint>      // int64_t
#include <type_traits>  // is_arithmetic_v

namespace stg {

/// A number as an argument of a function or a layer. It converts from every arithmetic type, and takes along the user's
/// line; a layer hands it on as it is, so that the line stays the user's.
///
///   constexpr auto dropout(expr<S, Sh, T> x, written p);   // called as dropout(h, 0.5)
struct written {
  double value;
  int line;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr written(T number, int called = __builtin_LINE()) : value(static_cast<double>(number)), line(called) {}
  constexpr operator double() const { return value; }
};

/// The same of an integer between brackets: x[2].
struct written_index {
  std::int64_t value;
  int line;
  template <std::integral T>
  constexpr written_index(T number, int called = __builtin_LINE())
      : value(static_cast<std::int64_t>(number)), line(called) {}
};

/// The line of a call, as the last argument of a function: nobody writes one.
///
///   constexpr auto gradient(Y y, X x, here called = here());
struct here {
  int line;
  explicit constexpr here(int called = __builtin_LINE()) : line(called) {}
};

}  // namespace stg
