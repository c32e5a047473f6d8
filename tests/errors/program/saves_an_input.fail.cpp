// A parameter is in memory whatever is said of it.
// build error: stg: saved and recomputed take a value that is computed from a vertex's; inputs are there anyway
// each NAME: saved recomputed
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), stg::NAME(W));  // <- here
};
auto compiled = stg::compile<model>();
