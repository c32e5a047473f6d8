// The twin of l1_shapes.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return l1(slice<0, 8>(v(x)), v(y));
};
auto compiled = stg::compile<model>();
