// The twin of own_gradient_without_the_vertex.fail.cpp.
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
  return rounded(v, matmul(v(x), W));
};
auto compiled = stg::compile<model>();
