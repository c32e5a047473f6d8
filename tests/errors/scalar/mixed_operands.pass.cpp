// The twin of mixed_operands.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto d = stg::vertex_feature<"d", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return v(x) NAME stg::cast<stg::f32>(v(d));
};
auto compiled = stg::compile<model>();
