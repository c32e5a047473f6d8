// The twin of feature_of_other_relation.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto reviews = stg::relation<"reviews", author, paper>;
constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(writes);
  return sum(e(w));
};
auto compiled = stg::compile<model>();
