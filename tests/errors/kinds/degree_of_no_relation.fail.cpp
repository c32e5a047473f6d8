// The degree of a vertex of a set, of no relation.
// build error: stg: in_edges and out_edges of a vertex set take one relation: g\(paper\)\.in_edges\(writes\)
// each NAME: in_degree out_degree
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = [](auto g) {
  return g(paper)(words) + g(paper).NAME();  // <- here
};
auto model = stg::compile<layer>();
