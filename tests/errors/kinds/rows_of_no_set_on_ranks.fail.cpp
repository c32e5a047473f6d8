// Rows of a part of several vertex sets, of no set.
// build error: stg: a part has rows by vertex set; write part\.rows\(paper, X\), part\.gathered\(paper, Y\)
#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto mine(const stg::distributed_graphs& part, const stg::tensor<float>& X) { return part.rows(X); }  // <- here
