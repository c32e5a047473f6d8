// The twin of type_after_extents.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", stg::f64, 8>;
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
