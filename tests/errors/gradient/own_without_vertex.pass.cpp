// The twin of own_without_vertex.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h) {
      return 2.0 * h;
    },
    [](auto, auto d, auto) {
      return d;
    });
constexpr auto model = [](auto v) {
  return f(v, v(x));
};
auto compiled = stg::compile<model>();
