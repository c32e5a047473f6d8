// The twin of sum_of_directions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  return sum(from.src(x)) + sum(to.dst(x));
};
auto compiled = stg::compile<model>();
