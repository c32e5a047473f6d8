// The twin of parameter_with_one_axis.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto model = [](auto v) {
  return sum(v(x) * v(a), stg::axis<0>);
};
auto compiled = stg::compile<model>();
