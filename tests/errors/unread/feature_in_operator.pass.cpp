// The twin of feature_in_operator.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x)) + v(x);
};
auto compiled = stg::compile<model>();
