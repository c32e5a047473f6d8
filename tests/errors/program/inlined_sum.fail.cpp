// A sum over neighbours that other neighbours read.
// build error: stg: inlined\(x\) is refused for a product, sum or scan that others read; inline what follows
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(inlined(sum(v.in_edges().src(x)))));
};
auto compiled = stg::compile<model>();  // <- here
