// The layer of custom_gradient gives a number.
// build error: stg: the layer of custom_gradient gives back a computed value, or several as std::tuple\(a, b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto) {
      return 2.0;
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
