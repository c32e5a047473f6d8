// The twin of source_of_parameter.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x) * v(a));
};
auto compiled = stg::compile<model>();
