// The twin of output_of_another_space.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto centre = stg::graph_feature<"centre", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x), centre = mean(v(x), stg::all_vertices));
};
auto compiled = stg::compile<model>();
