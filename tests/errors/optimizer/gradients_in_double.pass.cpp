// The twin of gradients_in_double.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();
auto gradients = stg::parameters<loss>().zeros();
auto optimizer = stg::adam(params);

void train() { optimizer.step(gradients); }
