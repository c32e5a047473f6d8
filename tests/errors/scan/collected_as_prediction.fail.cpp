// A loss of what a scan collected and its target.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: bce_with_logits huber l1 mse
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(y, v(z));  // <- here
};
auto compiled = stg::compile<model>();
