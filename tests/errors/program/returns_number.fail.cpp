// A number as the result.
// build error: stg: a program returns a value of its inputs, not a number; tanh\(v\(x\)\), for one, not std::tanh\(v\(x\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return 0.0 < sizeof(v) ? 1.0 : 0.0;
};
auto compiled = stg::compile<model>();  // <- here
