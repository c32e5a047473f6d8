// A layer of custom_gradient called without the vertex.
// build error: stg: a layer of custom_gradient takes the vertex first: f\(v, v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto rounded = stg::custom_gradient(
    [](auto, auto h) {
      return round(h);
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return rounded(matmul(v(x), W));  // <- here
};
auto compiled = stg::compile<model>();
