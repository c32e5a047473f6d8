// The twin of inlined_for_the_graph.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) * sum(v(x), stg::all_vertices);
};
auto compiled = stg::compile<model>();
