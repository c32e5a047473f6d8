// The twin of real_message.fail.cpp.
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(stg::cast<stg::f32>(v(codes))));
};
auto compiled = stg::compile<model>();
