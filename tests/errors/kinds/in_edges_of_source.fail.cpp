// In-edges of a relation at the set that it starts in.
// build error: stg: in_edges takes a relation that ends in the set; this one starts there: out_edges
// allows: further errors
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 16>;
constexpr auto y = paper.feature<"y", 16>;
constexpr auto model = [](auto g) {
  auto e = g(author).in_edges(writes);  // <- here
  return sum(e.dst(y));
};
auto compiled = stg::compile<model>();
