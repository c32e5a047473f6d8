// The twin of not_a_loss.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 1>;
constexpr auto model = [](auto v) {
  auto y = reshape<>(matmul(v(x), W));
  return mean(y * y, stg::all_vertices);
};
auto step = stg::value_and_grad<model>();
