// A set in double added to one in float.
// build error: stg: a value has another scalar type in the set that is added; add sets of the same parameters
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
auto gradients = stg::parameters<exact_loss>();

void accumulate() {
  params += gradients;  // <- here
}
