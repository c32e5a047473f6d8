// The twin of collected_in_product.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y", 8>);
constexpr auto W = stg::parameter<"W", 8, 2>;
constexpr auto body = [](auto v) {
  return tanh(v(y));
};
constexpr auto model = [](auto v) {
  auto h = stg::scan<"T">(v, body);
  return matmul(mean(h, stg::all_steps), W);
};
auto compiled = stg::compile<model>();
