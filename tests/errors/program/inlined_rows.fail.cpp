// What is summed over all vertices, nowhere in memory.
// build error: stg: inlined\(x\) is refused where a product, reduction or scan reads rows of x; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) * sum(inlined(exp(v(x))), stg::all_vertices);
};
auto compiled = stg::compile<model>();  // <- here
