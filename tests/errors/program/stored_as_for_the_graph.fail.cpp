// A value of the graph in two bytes a number.
// build error: stg: stored_as\(x\) is refused for a value of the graph, which has one row; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) - stg::stored_as<stg::bf16>(mean(v(x), stg::all_vertices));
};
auto compiled = stg::compile<model>();  // <- here
