// A dense product per edge: it would be computed once for every edge of a vertex.
// build error: stg: matmul takes a vertex value; multiply before gathering: e\.src\(matmul\(x, W\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(matmul(e.src(x), W));  // <- here
};
auto compiled = stg::compile<model>();
