// The twin of concat_of_directions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  return concat<stg::axis<0>>(sum(from.src(x)), sum(to.dst(x)));
};
auto compiled = stg::compile<model>();
