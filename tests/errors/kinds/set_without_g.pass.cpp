#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = []([[maybe_unused]] auto g) {
  return g(paper)(words);
};
auto model = stg::compile<layer>();
