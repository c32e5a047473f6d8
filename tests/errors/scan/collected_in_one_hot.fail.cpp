// one_hot of what a scan collected.
// build error: stg: one_hot takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return stg::one_hot<7>(y);  // <- here
};
auto compiled = stg::compile<model>();
