// The layer of custom_gradient without the vertex.
// build error: stg: the layer of custom_gradient takes the vertex and the values it is given: \[\]\(auto v, auto x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto h) {
      return 2.0 * h;
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
