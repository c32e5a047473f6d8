// A plain tensor for an edge feature: its rows are in the order of the edge list, not in the graph's.
// build error: stg: an input takes another kind of tensor: of its scalar type, edge_values\(w\), edge_steps\(w\), a sparse_tensor
// names: w
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x) * e(w));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, x = X, w = weights);  // <- here
}
