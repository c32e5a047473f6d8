// The class of a vertex.
// build error: stg: argmax and argmin find an edge and take no axis; classes are counted by stg::accuracy\(out, labels\)
// each NAME: argmax argmin
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return NAME(h, stg::axis<0>);  // <- here
};
auto compiled = stg::compile<model>();
