// The twin of stored_as_for_the_graph.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) - mean(v(x), stg::all_vertices);
};
auto compiled = stg::compile<model>();
