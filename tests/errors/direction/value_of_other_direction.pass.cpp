// The twin of value_of_other_direction.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  auto message = from.src(x) * 0.5;
  return sum(to.dst(x) * to.src(sum(message)));
};
auto compiled = stg::compile<model>();
