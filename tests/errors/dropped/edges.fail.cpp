// Edges that nothing is read of.
// build error: stg: this value is dropped; no function changes what it is given: auto y = relu\(h\)
// flags: -Wno-error -Werror=unused-result
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  v.in_edges();  // <- here
  return h;
};
auto compiled = stg::compile<model>();
