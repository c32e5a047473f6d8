// The gradient of a sparse feature.
// build error: stg: a sparse feature has no gradient; declare what is trained as a vertex_feature
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 2>;
constexpr auto model = [](auto v) {
  auto y = matmul(v(x), W);
  return mse(y, y * y);
};
auto step = stg::value_and_grad<model, W, x>();  // <- here
