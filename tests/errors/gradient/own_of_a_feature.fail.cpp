// A feature that was not read, given to a layer with a gradient of its own.
// build error: stg: a layer with a gradient of its own takes values; read the feature first: f\(v, v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto twice = stg::custom_gradient(
    [](auto, auto h) {
      return 2.0 * h;
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return twice(v, x);  // <- here
};
auto compiled = stg::compile<model>();
