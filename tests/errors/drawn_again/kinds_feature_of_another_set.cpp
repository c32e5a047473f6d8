// Kinds: feature of another set.
// names: matmul
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto known = author.feature<"known", 4>;
inline constexpr auto words = paper.feature<"words", 3>;
inline constexpr auto share = writes.feature<"share">;
inline constexpr auto topic = paper.feature<"topic", stg::i32>;
inline constexpr auto field = author.feature<"field", stg::i32>;
inline constexpr auto A = stg::parameter<"A", 4, 8>;
inline constexpr auto P = stg::parameter<"P", 3, 8>;
inline constexpr auto L = stg::parameter<"L", 8, 2>;
inline constexpr auto layer = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return matmul(p(words), P) + sum(p.in_edges(writes).src(matmul(p(known), A)));  // <- here
};
int main() {
  stg::graphs graph;
  graph.add_vertices(author, 3).add_vertices(paper, 4);
  graph.add_edges(writes, {0, 1, 1, 2}, {0, 0, 1, 3});
  graph.add_edges(cites, {1, 2, 3}, {0, 0, 2});
  const stg::tensor<float> K({3, 4}), X({4, 3});
  auto params = stg::parameters<layer>();
  stg::initialize(params, 1);
  auto out = stg::compile<layer>()(graph, known = K, words = X, params);
}
