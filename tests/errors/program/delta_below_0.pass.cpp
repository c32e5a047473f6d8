// The twin of delta_below_0.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t">;
constexpr auto model = [](auto v) {
  return huber(sum(v(x), stg::axis<0>), v(t), 1.0);
};
auto compiled = stg::compile<model>();
