// The twin of vertex_value_on_the_right.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return sum(v(x) * v(y), stg::axis<0>);
};
auto compiled = stg::compile<model>();
