// The twin of scalar_types.fail.cpp.
#include <stg/stg.hpp>

constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(cast<stg::f32>(v(t)), W);
};
auto compiled = stg::compile<model>();
