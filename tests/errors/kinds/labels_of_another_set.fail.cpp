// Labels of authors for scores of papers.
// build error: stg: NAME takes values of one vertex set; read the other's through a relation: mean\(e\.src\(y\)\)
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto field = author.feature<"field", stg::i32>;
constexpr auto layer = [](auto g) {
  return NAME(g(paper)(words), g(author)(field));  // <- here
};
auto model = stg::compile<layer>();
