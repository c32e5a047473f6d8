// A degree that is to lie in memory.
// build error: stg: stored\(x\) is refused for a constant, degree, index or mask, made where read; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return stored(v.in_degree()) * v(x);
};
auto compiled = stg::compile<model>();  // <- here
