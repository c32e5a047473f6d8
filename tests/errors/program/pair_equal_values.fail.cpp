// One value, written twice, that is to be computed apart.
// build error: stg: apart\(a, b\) is refused for results of one scan, and for equal values; leave it out
// names: wave
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto wave = stg::named<"wave">(sin(v(x)));
  apart(wave, sin(v(x)));
  return 2.0 * wave;
};
auto compiled = stg::compile<model>();  // <- here
