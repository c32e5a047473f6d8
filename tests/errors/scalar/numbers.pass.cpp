// The twin of numbers.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  auto y = stg::cast<stg::f32>(v(mask));
  return y NAME y;
};
auto compiled = stg::compile<model>();
