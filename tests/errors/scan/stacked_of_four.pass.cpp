// The twin of stacked_of_four.fail.cpp.
#include <stg/stg.hpp>

constexpr auto S = stg::over<"T">(stg::parameter<"S", 2, 2, 2, 2>);
constexpr auto body = [](auto v) {
  return sum(stg::tanh(v(S)), stg::axis<0>);
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return sum(stg::stacked(y), stg::axis<0>);
};
auto compiled = stg::compile<model>();
