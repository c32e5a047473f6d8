// The twin of pair_collected.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto mean_of_all = mean(stg::scan<"T">(v, body), stg::all_steps);
  auto y = exp(mean_of_all), z = tanh(mean_of_all);
  NAME(y, z);
  return y + z;
};
auto compiled = stg::compile<model>();
