// A gradient for edge weights.
// build error: stg: an edge feature has no gradient on blocks; ask for others, or run it on batch\.graph
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto weight = stg::edge_feature<"weight">;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(sum(matmul(sum(e(weight) * e.src(x)), W), stg::axis<0>), stg::over_batch);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w,
            const stg::edge_values<float>& of_edges) {
  return stg::value_and_grad<model, weight>()(on, x = X, W = w, weight = of_edges).loss;  // <- here
}
