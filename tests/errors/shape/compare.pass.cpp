// The twin of compare.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return cast<stg::f32>(v(x) > mean(v(y), stg::axis<0>));
};
auto compiled = stg::compile<model>();
