// A function of the standard library, which takes a number.
// build error: stg: a value is no number while a program is traced; write tanh\(x\) for std::tanh\(x\)
// allows: further errors
#include <stg/stg.hpp>
#include <cmath>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * std::tanh(v(x));  // <- here
};
auto compiled = stg::compile<model>();
