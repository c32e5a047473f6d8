// The twin of stored_arguments.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  auto g = sum(v(x), stg::axis<0>);
  return NAME(h, g);
};
auto compiled = stg::compile<model>();
