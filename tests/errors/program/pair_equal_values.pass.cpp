// The twin of pair_equal_values.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto wave = stg::named<"wave">(sin(v(x)));
  apart(wave, cos(v(x)));
  return 2.0 * wave;
};
auto compiled = stg::compile<model>();
