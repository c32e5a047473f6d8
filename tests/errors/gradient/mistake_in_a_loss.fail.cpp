// A mistake in a lambda that is asked for its gradients.
// build error: stg: sum aggregates an edge value; read the vertex value as e\.src\(x\), or sum\(x, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  return mse(sum(sum(e.src(matmul(v(x), W)))), v(target));  // <- here
};
auto step = stg::value_and_grad<loss>();
