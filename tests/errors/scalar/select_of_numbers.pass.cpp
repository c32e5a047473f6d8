// The twin of select_of_numbers.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return cast<stg::f32>(v(mask));
};
auto compiled = stg::compile<model>();
