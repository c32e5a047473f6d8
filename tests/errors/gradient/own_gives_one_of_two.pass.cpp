// The twin of own_gives_one_of_two.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto f = stg::custom_gradient(
    [](auto, auto a, auto b) {
      return a * b;
    },
    [](auto, auto d, auto a, auto b) {
      return std::tuple(d * b, d * a);
    });
constexpr auto model = [](auto v) {
  return f(v, v(x), 2.0 * v(x));
};
auto compiled = stg::compile<model>();
