// The twin of without_first_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto U = stg::parameter<"U", 16, 16>;
constexpr auto model = [](auto v) {
  auto body = [](auto v, auto h) {
    return tanh(v(x) + matmul(h, U));
  };
  return stg::scan<"T">(v, body, stg::zeros<16>(v));
};
auto compiled = stg::compile<model>();
