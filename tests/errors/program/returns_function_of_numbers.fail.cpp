// What a function of the standard library gives, which takes a number, as the result.
// build error: stg: a value is no number while a program is traced; write tanh\(x\) for std::tanh\(x\)
#include <stg/stg.hpp>
#include <cmath>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return std::tanh(v(x));
};
auto compiled = stg::compile<model>();  // <- here
