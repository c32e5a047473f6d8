// The twin of collected_as_scores.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(mean(y, stg::all_steps), v(label));
};
auto compiled = stg::compile<model>();
