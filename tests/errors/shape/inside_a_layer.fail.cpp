// A layer function whose residual has another width than its result.
// build error: stg: \+ takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;

constexpr auto residual = [](auto v, auto x, auto W) {
  return x + sum(v.in_edges().src(matmul(x, W)));  // <- here
};
constexpr auto model = [](auto v) {
  return residual(v, v(x), W);
};
auto compiled = stg::compile<model>();
