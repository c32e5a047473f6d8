// A program over vertex sets on blocks, which are of one kind of vertices.
#include <stg/runtime/blocks.hpp>
#include <stg/runtime/graphs.hpp>
#include <stg/stg.hpp>

inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto x = paper.feature<"x", 8>;
constexpr auto model = [](auto g) {
  return sum(g(paper).in_edges(cites).src(x));
};
auto result(const stg::graphs& on, const stg::tensor<float>& X) { return stg::compile<model>()(on, x = X); }
