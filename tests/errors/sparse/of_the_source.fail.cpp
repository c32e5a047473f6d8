// A sparse feature read from an edge: its product would be computed once for every edge.
// build error: stg: e\.src and e\.dst take no sparse feature; multiply it first: e\.src\(matmul\(v\(x\), W\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(matmul(e.src(x), W));  // <- here
};
auto compiled = stg::compile<model>();
