// A sum over all vertices, of which there is a sample.
// build error: stg: all_vertices, graph_norm and pair_norm read the whole graph, blocks are a sample; use over_batch
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto model = [](auto v) {
  return sum(matmul(mean(v.in_edges().src(x)), W), stg::all_vertices);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w);  // <- here
}
