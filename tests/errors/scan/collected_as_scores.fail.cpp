// A loss of what a scan collected.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(y, v(label));  // <- here
};
auto compiled = stg::compile<model>();
