// The neighbours of a vertex.
// build error: stg: neighbours are read by edges: auto e = v\.in_edges\(\); then e\.src\(x\)
// each NAME: neighbors neighbours
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.NAME(x));  // <- here
};
auto compiled = stg::compile<model>();
