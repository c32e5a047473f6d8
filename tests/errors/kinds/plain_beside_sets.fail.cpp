// A plain feature beside those of vertex sets.
// build error: stg: a program reads vertices of sets or those of a plain graph, not both; read all through g\(set\)
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto model = [](auto g) {
  return stg::outputs(g(author)(x), g(z));
};
auto compiled = stg::compile<model>();  // <- here
