// The twin of feature_times_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(v(x) * 0.5));
};
auto compiled = stg::compile<model>();
