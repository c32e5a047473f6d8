// A product of what a scan collected.
// build error: stg: matmul takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y", 8>);
constexpr auto W = stg::parameter<"W", 8, 2>;
constexpr auto body = [](auto v) {
  return tanh(v(y));
};
constexpr auto model = [](auto v) {
  auto h = stg::scan<"T">(v, body);
  return matmul(h, W);  // <- here
};
auto compiled = stg::compile<model>();
