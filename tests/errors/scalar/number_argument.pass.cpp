// The twin of number_argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return NAME(stg::cast<stg::f32>(v(mask)));
};
auto compiled = stg::compile<model>();
