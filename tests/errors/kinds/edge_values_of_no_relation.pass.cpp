#include <stg/stg.hpp>

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
auto values(const stg::graphs& g, const stg::tensor<float>& w) { return g.edge_values(writes, w).place(); }
