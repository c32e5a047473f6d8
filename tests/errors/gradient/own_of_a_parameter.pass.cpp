// The twin of own_of_a_parameter.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto b = stg::parameter<"b", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto h, auto b) {
      return h * b;
    },
    [](auto, auto d, auto h, auto b) {
      return std::tuple(d * b, sum(d * h, stg::all_vertices));
    });
constexpr auto model = [](auto v) {
  return f(v, v(x), b);
};
auto compiled = stg::compile<model>();
