// The twin of mistake_in_a_loss.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  return mse(sum(e.src(matmul(v(x), W))), v(target));
};
auto step = stg::value_and_grad<loss>();
