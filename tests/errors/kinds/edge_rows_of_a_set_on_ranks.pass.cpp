#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
auto mine(const stg::distributed_graphs& part, const stg::tensor<float>& X) { return part.rows(paper, X); }
