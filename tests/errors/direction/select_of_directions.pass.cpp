// The twin of select_of_directions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  auto strong = mean(from.src(x)) > 0.0;
  return sum(select(strong, to.dst(x), 0.0));
};
auto compiled = stg::compile<model>();
