// Operations of a user's own, of one, two and three values, that samples and random programs apply.
#pragma once

#include <stg/elementwise.hpp>  // apply, elementwise

#include <cstdint>  // int64_t
#include <tuple>    // tuple

namespace stg::test {

/// x / (1 + |x|).
struct softsign : elementwise<softsign, "softsign", 1> {
  STG_LANEWISE static auto value(auto x) { return x / (1 + abs(x)); }
  static constexpr auto gradient(auto d, auto x) {
    auto size = 1.0 + abs(x);
    return d / (size * size);
  }
};

/// Attention's scores, held within ±cap.
struct softcap : elementwise<softcap, "softcap", 2> {
  static constexpr op::domain domain{.second = {.low = 0.5, .high = 4}};
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
  static constexpr auto gradient(auto d, auto x, auto cap) {
    auto t = tanh(x / cap);
    return std::tuple(d * (1.0 - t * t), d * (t - x / cap * (1.0 - t * t)));
  }
};

/// Largest at 1; it has no gradient.
struct bump : elementwise<bump, "bump", 1> {
  STG_LANEWISE static auto value(auto x) { return x / (1 + x * x); }
};

/// The length of two sides of a right angle, added 1; it has no gradient.
struct hypotenuse : elementwise<hypotenuse, "hypotenuse", 2> {
  STG_LANEWISE static auto value(auto a, auto b) { return sqrt(1 + a * a + b * b); }
};

/// From a to b by a share; it has no gradient.
struct between : elementwise<between, "between_2", 3> {
  STG_LANEWISE static auto value(auto a, auto b, auto share) {
    auto s = select(share < 0, 0 * share, min(share, 1));
    return (1 - s) * a + s * b;
  }
};

/// An operation of so many values that takes any numbers; it is known to the interpreter.
inline std::int64_t own_operation_of(int arity) {
  static const bool are_known = add_operation<bump>() && add_operation<hypotenuse>() && add_operation<between>();
  return !are_known ? 0 : arity == 1 ? bump::number : arity == 2 ? hypotenuse::number : between::number;
}

}  // namespace stg::test
