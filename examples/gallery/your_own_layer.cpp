// A layer of your own: messages of both ends and the edge, their largest, and a residual connection.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto length = stg::edge_feature<"length">;
inline constexpr auto A = stg::parameter<"A", 34, 8>;
inline constexpr auto B = stg::parameter<"B", 8, 8>;
inline constexpr auto layer = [](auto v, auto h, auto w) {
  auto e = v.in_edges();
  auto message = relu(matmul(e.src(h) - e.dst(h), w)) / (1.0 + e(length));  // (8) per edge
  return h + max(message);
};
inline constexpr auto model = [](auto v) { return layer(v, layer(v, matmul(v(x), A), B), B); };

int main() {
  const auto club = stg::karate_club();
  const auto lengths = club.graph.edge_values(stg::tensor<float>::full({club.graph.edges()}, 1.0f));
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  const auto out = stg::compile<model>()(club.graph, x = club.features, length = lengths, params);
  std::printf("rows of %d numbers for %d vertices\n", int(out.shape()[1]), int(out.shape()[0]));
}

// last line: rows of 8 numbers for 34 vertices
