// The twin of collected_in_promise.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return relu(inlined(2.0 * mean(y, stg::all_steps)));
};
auto compiled = stg::compile<model>();
