// The twin of clamp.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto low = stg::parameter<"low", 8>;
constexpr auto model = [](auto v) {
  return clamp(v(x), max(v(low), stg::axis<0>), 1.0);
};
auto compiled = stg::compile<model>();
