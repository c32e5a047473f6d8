// The gradient takes a cotangent alone.
// build error: stg: the gradient takes the vertex, a cotangent per real result, and the values: \(v, d, x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return 2.0 * h;
    },
    [](auto, auto d) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
