// The twin of stored_per_edge.fail.cpp.
#include <stg/stg.hpp>

constexpr auto w = stg::edge_feature<"w">;
constexpr auto model = [](auto v) {
  return stored(sum(exp(v.in_edges()(w))));
};
auto compiled = stg::compile<model>();
