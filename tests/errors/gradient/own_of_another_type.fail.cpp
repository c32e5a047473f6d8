// A gradient in double of a value in float.
// build error: stg: a gradient has the scalar type of its value; cast it
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return 2.0 * h;
    },
    [](auto, auto d, auto) {
      return stg::cast<stg::f64>(d);
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
