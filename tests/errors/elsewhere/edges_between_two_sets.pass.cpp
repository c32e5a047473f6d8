// The twin of edges_between_two_sets.fail.cpp.
#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;

auto& with_edges(stg::graphs& graph) { return graph.add_edges(writes, {0, 1}, {1, 0}); }
