// The twin of seed_of_normal.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

void begin() {
  auto params = stg::parameters<model>();
  stg::normal(params[W], 0, 0.02, 7);
}
