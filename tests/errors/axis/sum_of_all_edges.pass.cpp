// The twin of sum_of_all_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v(x), stg::all_vertices);
};
auto compiled = stg::compile<model>();
