// The twin of collected_in_aggregate.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(v.in_edges().src(mean(y, stg::all_steps)));
};
auto compiled = stg::compile<model>();
