// The twin of no_extent.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 1>;
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
