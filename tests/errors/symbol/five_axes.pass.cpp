// The twin of five_axes.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 4, 2, 2, 16>;
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
