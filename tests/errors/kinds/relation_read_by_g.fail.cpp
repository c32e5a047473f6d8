// A relation is read as if it were a vertex set.
// build error: stg: a relation is read from a vertex set at its end: auto e = g\(paper\)\.in_edges\(writes\); then e\(x\), e\.src\(y\)
// names: writes
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto share = writes.feature<"share">;
constexpr auto layer = [](auto g) {
  return sum(g(writes)(share));  // <- here
};
auto model = stg::compile<layer>();
