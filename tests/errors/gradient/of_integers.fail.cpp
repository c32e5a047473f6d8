// A derivative by integers.
// build error: stg: gradient\(y, x\) takes real values; write cast<f32>\(x\) before y is computed
// allows: further errors
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  auto total = sum(sum(stg::cast<stg::f32>(v(codes)), stg::axis<0>), stg::all_vertices);
  return gradient(total, v(codes));  // <- here
};
auto compiled = stg::compile<model>();
