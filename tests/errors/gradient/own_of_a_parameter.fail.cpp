// The gradient of a parameter that lives at vertices.
// build error: stg: a gradient lives where its value does; for a parameter write sum\(dw, all_vertices\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto b = stg::parameter<"b", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h, auto b) {
      return h * b;
    },
    [](auto, auto d, auto h, auto b) {
      return std::tuple(d * b, d * h);
    });
constexpr auto model = [](auto v) {
  return f(v, v(x), b);  // <- here
};
auto compiled = stg::compile<model>();
