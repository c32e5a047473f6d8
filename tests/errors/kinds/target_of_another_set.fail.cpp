// A target of authors for values of papers.
// build error: stg: NAME takes values of one vertex set; read the other's through a relation: mean\(e\.src\(y\)\)
// each NAME: mse huber l1 bce_with_logits
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto known = author.feature<"known", 4>;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = [](auto g) {
  return NAME(g(paper)(words), g(author)(known));  // <- here
};
auto model = stg::compile<layer>();
