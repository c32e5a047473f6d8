// The twin of source_of_edge_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto message = e.src(x) * e(w);
  return sum(e.src(sum(message)));
};
auto compiled = stg::compile<model>();
