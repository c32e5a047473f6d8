// A layer of one set of vertices in a graph of two.
// build error: stg: this layer is for graphs with one set of vertices; between sets take sage_conv, gin_conv or gat_conv
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto x = paper.feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return relu(stg::nn::gcn_conv(p, p(x), W));  // <- here
};
auto compiled = stg::compile<model>();
