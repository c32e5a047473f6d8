#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = [](auto g) {
  return g(paper)(words) + g(paper).in_degree(writes);
};
auto model = stg::compile<layer>();
