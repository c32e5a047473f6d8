// A vertex set is read without what the lambda is given.
// build error: stg: a vertex set is read through the lambda's argument: g\(paper\)\(x\)
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto words = paper.feature<"words", 4>;
constexpr auto layer = []([[maybe_unused]] auto g) {
  return paper(words);  // <- here
};
auto model = stg::compile<layer>();
