#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = [](auto g) {
  return tanh(g(paper)(words));
};
auto model = stg::compile<layer>();
