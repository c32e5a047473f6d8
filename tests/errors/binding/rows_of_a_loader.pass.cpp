#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto params = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

void train(const stg::graph& graph, const std::vector<std::int32_t>& seeds, const stg::tensor<float>& features,
           const stg::tensor<std::int32_t>& labels) {
  stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 4});
  const auto X = loader.rows(features);
  const auto Y = loader.rows(labels);
  for (const stg::loaded_batch& b : loader.epoch(0)) auto now = step(b.blocks(), x = b[X], label = b[Y], params);
}
