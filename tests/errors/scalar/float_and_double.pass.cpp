// The twin of float_and_double.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return v(t) - cast<stg::f64>(v(x));
};
auto compiled = stg::compile<model>();
