// An unbound input in a call whose result is used.
// build error: stg: an input is not bound; add name = tensor to the call
// names: W
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto result(const stg::graph& graph, const stg::tensor<float>& X) {
  auto layer = stg::compile<model>();
  auto out = layer(graph, x = X);  // <- here
  return out(0, 0);
}
