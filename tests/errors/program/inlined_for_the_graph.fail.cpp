// A number for the graph that is to be computed wherever it is read.
// build error: stg: inlined\(x\) is refused for a value of the graph, which is computed once; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) * inlined(sum(v(x), stg::all_vertices));
};
auto compiled = stg::compile<model>();  // <- here
