// Two kinds of vertices: what a paper is about says what its authors work on.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto topic = paper.feature<"topic", stg::i32>;
inline constexpr auto topics_of_authors = [](auto g) {
  return mean(g(author).out_edges(writes).dst(stg::one_hot<3>(g(paper)(topic))));  // (3) per author
};

int main() {
  stg::graphs graph;
  graph.add_vertices(author, 3).add_vertices(paper, 4);
  graph.add_edges(writes, {0, 0, 1, 1, 2}, {0, 1, 1, 2, 3});  // edge i: from author to paper
  const auto topics = stg::tensor<std::int32_t>::from({4}, {0, 2, 2, 1});
  const auto shares = stg::compile<topics_of_authors>()(graph, topic = topics);
  std::printf("author 0: %g, %g, %g\n", shares(0, 0), shares(0, 1), shares(0, 2));
}

// last line: author 0: 0.5, 0, 0.5
