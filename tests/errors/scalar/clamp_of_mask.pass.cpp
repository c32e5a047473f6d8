// The twin of clamp_of_mask.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return clamp(cast<stg::f32>(v(mask)), 0, 1);
};
auto compiled = stg::compile<model>();
