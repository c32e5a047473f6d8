#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto known = author.feature<"known", 4>;
constexpr auto W = stg::parameter<"W", 4>;
constexpr auto loss = [](auto g) {
  return sum(sum(W * sum(g(paper).in_edges(writes).src(known)), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

auto called(const stg::graphs& g, const stg::tensor<float>& X) { return step(g, known = X, params).loss; }
