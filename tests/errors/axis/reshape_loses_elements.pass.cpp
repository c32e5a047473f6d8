// The twin of reshape_loses_elements.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return reshape<8, 2, 8>(v(h));
};
auto compiled = stg::compile<model>();
