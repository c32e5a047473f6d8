// A gradient for the first of two values.
// build error: stg: the gradient gives a value for each real one that the layer takes: std::tuple\(dx, dw\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto a, auto b) {
      return a * b;
    },
    [](auto, auto d, auto, auto b) {
      return d * b;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x), 2.0 * v(x));  // <- here
};
auto compiled = stg::compile<model>();
