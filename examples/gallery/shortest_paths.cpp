// Shortest paths from one vertex: Bellman and Ford's rule, as often as there are vertices.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto start = stg::vertex_feature<"start">;  // 0 where it begins, far away elsewhere
inline constexpr auto length = stg::edge_feature<"length">;
inline constexpr auto distances = [](auto v) {
  return stg::scan<5>(
      v,
      [](auto v, auto d) {
        auto e = v.in_edges();
        return select(v.in_degree() > 0.0, min(d, min(e.src(d) + e(length))), d);
      },
      v(start));
};

int main() {
  const auto graph = stg::graph::from_edges(5, {0, 0, 1, 2, 1, 3}, {1, 2, 2, 3, 3, 4});
  const auto lengths = graph.edge_values(stg::tensor<float>::from({6}, {4, 1, 1, 5, 1, 3}));
  const auto from_0 = stg::tensor<float>::from({5}, {0, 1e9f, 1e9f, 1e9f, 1e9f});
  const auto d = stg::compile<distances>()(graph, start = from_0, length = lengths);
  std::printf("distance of vertex 4: %g\n", d(4));
}

// last line: distance of vertex 4: 8
