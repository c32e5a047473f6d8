// A feature of another vertex set.
// names: words
#include <stg/stg.hpp>
inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto words = paper.feature<"words", 8>;
inline constexpr auto model = [](auto g) {
  auto a = g(author);
  return relu(a(words));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
