// The twin of of_integers.fail.cpp.
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  auto h = stg::cast<stg::f32>(v(codes));
  auto total = sum(sum(h * h, stg::axis<0>), stg::all_vertices);
  return gradient(total, h);
};
auto compiled = stg::compile<model>();
