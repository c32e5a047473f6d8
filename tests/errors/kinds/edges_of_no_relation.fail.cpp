// Edges of a vertex set, of no relation.
// build error: stg: in_edges and out_edges of a vertex set take one relation: g\(paper\)\.in_edges\(writes\)
// each NAME: in_edges out_edges
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto known = author.feature<"known", 4>;
constexpr auto layer = [](auto g) {
  return sum(g(paper).NAME().src(known));  // <- here
};
auto model = stg::compile<layer>();
