#include <stg/distributed/distributed_graphs.hpp>
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
auto mine(const stg::distributed_graphs& part, const stg::edge_values<float>& S) { return part.edge_rows(writes, S); }
