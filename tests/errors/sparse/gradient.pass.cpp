// The twin of gradient.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 2>;
constexpr auto model = [](auto v) {
  auto y = matmul(v(x), W);
  return mse(y, y * y);
};
auto step = stg::value_and_grad<model, W, x>();
