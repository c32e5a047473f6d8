// A gradient that was summed along the features.
// build error: stg: a gradient has the shape of its value; sum it along axes, or reshape it
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return 2.0 * h;
    },
    [](auto, auto d, auto) {
      return sum(d, stg::axis<0>);
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
