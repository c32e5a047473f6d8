// The twin of other_space.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, stg::zeros<8>(v));
};
auto compiled = stg::compile<model>();
