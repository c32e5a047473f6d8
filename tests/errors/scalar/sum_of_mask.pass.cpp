// The twin of sum_of_mask.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(cast<stg::f32>(e.src(mask)));
};
auto compiled = stg::compile<model>();
