// Gradients of a program in double for parameters in float.
// build error: stg: a gradient has another scalar type than its parameter; give those of its own step
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};
constexpr auto exact_x = stg::vertex_feature<"x", stg::f64, 16>;
constexpr auto exact_W = stg::parameter<"W", stg::f64, 16, 7>;
constexpr auto exact_loss = [](auto v) {
  return mean(sum(matmul(v(exact_x), exact_W), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();
auto gradients = stg::parameters<exact_loss>().zeros();
auto optimizer = stg::adam(params);

void train() {
  optimizer.step(gradients);  // <- here
}
