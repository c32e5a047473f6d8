// A real number where the seed belongs.
// build error: stg: a seed is an integer, and stands where it says seed: uniform\(t, low, high, seed\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

void begin() {
  auto params = stg::parameters<model>();
  stg::uniform(params[W], 7, -0.1, 0.1);  // <- here
}
