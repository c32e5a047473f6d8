// The twin of runtime_extent.fail.cpp.
#include <stg/stg.hpp>

constexpr auto f = stg::vertex_feature<"f", stg::extent<"F">>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(f) + mean(v(x), stg::axis<0>);
};
auto compiled = stg::compile<model>();
