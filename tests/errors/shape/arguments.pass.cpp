// The twin of arguments.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto z = stg::vertex_feature<"z", 7>;
constexpr auto model = [](auto v) {
  return NAME(v(x), sum(v(z), stg::axis<0>));
};
auto compiled = stg::compile<model>();
