// A layer with a gradient of its own that reads a parameter by itself.
// build error: stg: a layer with a gradient of its own reads real values that it is given; pass them: f\(v, v\(x\), W\)
// names: W
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return matmul(h, W);
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));
};
auto compiled = stg::compile<model>();  // <- here
