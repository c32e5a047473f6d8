// Layers: batch_norm result used as one value.
// names: batch_norm
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 34, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto m1 = stg::graph_feature<"m1", 16>;
inline constexpr auto s1 = stg::graph_feature<"s1", 16>;
inline constexpr auto model = [](auto v) {
  auto h = stg::nn::batch_norm(stg::nn::gcn_conv(v, v(x), W1), m1, s1);
  return relu(h);  // <- here
};
int main() {
  const auto data = stg::karate_club();
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  auto out = stg::compile<model>()(data.graph, x = data.features, m1 = stg::tensor<float>({16}),
                                   s1 = stg::tensor<float>({16}), params);
}
