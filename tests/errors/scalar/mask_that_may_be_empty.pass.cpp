// The twin of mask_that_may_be_empty.fail.cpp.
#include <stg/stg.hpp>

constexpr auto y = stg::vertex_feature<"y">;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto model = [](auto v) {
  auto mask = stg::may_be_empty(v(known));
  return mean(stg::cast<stg::f32>(mask) * v(y), stg::all_vertices);
};
auto compiled = stg::compile<model>();
