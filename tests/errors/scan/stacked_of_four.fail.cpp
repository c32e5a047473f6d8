// Steps in front of four axes.
// build error: stg: stacked puts the steps in front of at most three axes
#include <stg/stg.hpp>

constexpr auto S = stg::over<"T">(stg::parameter<"S", 2, 2, 2, 2>);
constexpr auto body = [](auto v) {
  return stg::tanh(v(S));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return sum(stg::stacked(y), stg::axis<0>);  // <- here
};
auto compiled = stg::compile<model>();
