// A plain graph for a program over vertex sets.
// build error: stg: the program reads vertex sets; call it with stg::graphs, which has them, not with a graph
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto known = author.feature<"known", 4>;
constexpr auto layer = [](auto g) {
  return sum(g(paper).in_edges(writes).src(known));
};
auto model = stg::compile<layer>();

auto called(const stg::graph& g, const stg::tensor<float>& X) { return model(g, known = X); }  // <- here
