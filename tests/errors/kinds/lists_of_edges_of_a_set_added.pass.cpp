#include <stg/stg.hpp>

#include <vector>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
void fill(stg::graphs& g, const std::vector<int>& src, const std::vector<int>& dst) { g.add_edges(writes, src, dst); }
