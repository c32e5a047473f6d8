#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto topic = paper.feature<"topic", stg::i32>;
constexpr auto layer = [](auto g) {
  return NAME(g(paper)(words), g(paper)(topic));
};
auto model = stg::compile<layer>();
