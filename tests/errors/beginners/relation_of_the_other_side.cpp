// A relation from the wrong side.
// names: writes
#include <stg/stg.hpp>
inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto known = author.feature<"known", 4>;
inline constexpr auto model = [](auto g) {
  auto a = g(author);
  return sum(a.in_edges(writes).src(known));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
