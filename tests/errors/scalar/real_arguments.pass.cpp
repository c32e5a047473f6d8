// The twin of real_arguments.fail.cpp.
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  auto y = stg::cast<stg::f32>(v(codes));
  return NAME(y, y);
};
auto compiled = stg::compile<model>();
