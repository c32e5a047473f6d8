// The twin of feature_of_other_relation.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto reviews = stg::relation<"reviews", author, paper>;
inline constexpr auto w = writes.feature<"w">;
constexpr auto model = [](auto g) {
  auto e = g(paper).in_edges(writes);
  return sum(e(w));
};
auto compiled = stg::compile<model>();
