// Batch: b[data.features].
// names: step
#include <stg/data/karate.hpp>
#include <stg/sampling/gather.hpp>
#include <stg/sampling/loader.hpp>
#include <stg/sampling/link_sampler.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/sampling/temporal_sampler.hpp>
#include <stg/stg.hpp>
#include <vector>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto U1 = stg::parameter<"U1", 34, 16>;
inline constexpr auto V1 = stg::parameter<"V1", 34, 16>;
inline constexpr auto U2 = stg::parameter<"U2", 16, 4>;
inline constexpr auto V2 = stg::parameter<"V2", 16, 4>;
inline constexpr auto sage = [](auto v) {
  auto h = relu(stg::nn::sage_conv(v, v(x), U1, V1));
  return stg::nn::sage_conv(v, h, U2, V2);
};
inline constexpr auto loss = [](auto v) {
  return cross_entropy(sage(v), v(label), v(known));
};
int main() {
  const auto data = stg::karate_club();
  const std::vector<std::int32_t> train = {0, 1, 2, 3, 30, 31, 32, 33};
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>();
  stg::loader loader(stg::neighbour_sampler(data.graph, {.fan_outs = {5, 3}}), train, {.batch_size = 4, .seed = 1});
  const auto X = loader.rows(data.features);
  const auto Y = loader.rows(data.labels);
  for (const stg::loaded_batch& b : loader.epoch(0))
    optimizer.step(step(b.blocks(), x = b[data.features], label = b[Y], known = b.known, params).gradients);  // <- here
}
