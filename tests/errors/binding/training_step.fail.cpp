// A training step without its parameters.
// build error: stg: an input is not bound; add name = tensor to the call
// names: W
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};

auto result(const stg::graph& graph, const stg::tensor<float>& X) {
  auto step = stg::value_and_grad<model>();
  return step(graph, x = X);  // <- here
}
