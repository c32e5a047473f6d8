// The twin of subtract.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return v(h) - reshape<8, 1>(v(y));
};
auto compiled = stg::compile<model>();
