// The twin of stored_as_f64.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(stg::stored_as<stg::bf16>(exp(cast<stg::f32>(v(x))))));
};
auto compiled = stg::compile<model>();
