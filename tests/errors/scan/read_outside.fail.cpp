// A value for each step, read where there is no step.
// build error: stg: what has a value for each step is read in the body of a scan, through its vertex: v\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto model = [](auto v) {
  return tanh(v(x));
};
auto compiled = stg::compile<model>();  // <- here
