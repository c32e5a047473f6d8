// What a function of the standard library gives, which takes a number, as the result.
// build error: stg: a program returns a value of its inputs, not a number; tanh\(v\(x\)\), for one, not std::tanh\(v\(x\)\)
// allows: further errors
#include <stg/stg.hpp>
#include <cmath>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return std::tanh(v(x));
};
auto compiled = stg::compile<model>();  // <- here
