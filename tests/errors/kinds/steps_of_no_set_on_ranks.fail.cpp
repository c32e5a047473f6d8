// Rows of steps of a part of several vertex sets, of no set.
// build error: stg: a part has rows by vertex set; write part\.rows\(paper, X\), part\.gathered\(paper, Y\)
#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
auto mine(const stg::distributed_graphs& part, const stg::tensor<float>& X) { return part.step_rows(X); }  // <- here
