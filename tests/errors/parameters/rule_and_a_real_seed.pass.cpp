// The twin of rule_and_a_real_seed.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

void begin() {
  auto params = stg::parameters<model>();
  stg::initialize(params, stg::init::normal(0, 0.02), 5);
}
