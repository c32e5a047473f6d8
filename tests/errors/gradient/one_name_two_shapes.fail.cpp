// One name with two shapes in a program that is trained.
// build error: stg: one name is used with two shapes in a program; give the inputs two names
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto again = stg::vertex_feature<"x", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(again));
};
auto step = stg::value_and_grad<loss>();  // <- here
