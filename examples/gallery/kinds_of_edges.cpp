// Kinds of edges: a matrix for each, picked by a label of the edge.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 2>;
inline constexpr auto kind = stg::edge_feature<"kind", stg::i32>;  // in [0, 3)
inline constexpr auto W = stg::parameter<"W", 3, 2, 2>;
inline constexpr auto layer = [](auto v) {
  auto e = v.in_edges();
  return sum(matmul(e.src(x), W[e(kind)]));  // (2)
};

int main() {
  const auto graph = stg::graph::from_edges(3, {0, 1, 2}, {2, 2, 0});
  const auto kinds = graph.edge_values(stg::tensor<std::int32_t>::from({3}, {0, 2, 1}));
  const auto X = stg::tensor<float>::from({3, 2}, {1, 0, 0, 1, 1, 1});
  auto params = stg::parameters<layer>();
  for (std::int64_t k = 0; k < 3; ++k)  // kind k multiplies by k + 1
    for (std::int64_t i = 0; i < 2; ++i) params[W](k, i, i) = float(k + 1);
  const auto out = stg::compile<layer>()(graph, x = X, kind = kinds, params);
  std::printf("vertex 2: %g, %g\n", out(2, 0), out(2, 1));
}

// last line: vertex 2: 1, 3
