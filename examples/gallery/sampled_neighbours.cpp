// Batches of sampled neighbours: GraphSAGE on blocks, which the loader makes ahead of the step.
#include <stg/data/karate.hpp>                 // karate_club
#include <stg/runtime/accuracy.hpp>            // accuracy
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <cstdio>   // printf
#include <numeric>  // iota
#include <vector>   // vector

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto U1 = stg::parameter<"U1", 34, 16>;
inline constexpr auto V1 = stg::parameter<"V1", 34, 16>;
inline constexpr auto U2 = stg::parameter<"U2", 16, 4>;
inline constexpr auto V2 = stg::parameter<"V2", 16, 4>;
inline constexpr auto sage = [](auto v) {
  auto h = relu(stg::nn::sage_conv(v, v(x), U1, V1));
  return stg::nn::sage_conv(v, h, U2, V2);
};
inline constexpr auto loss = [](auto v) { return cross_entropy(sage(v), v(label)); };

int main() {
  const auto club = stg::karate_club();
  std::vector<std::int32_t> seeds(34);
  std::iota(seeds.begin(), seeds.end(), 0);
  stg::loader loader(stg::neighbour_sampler(club.graph, {.fan_outs = {5, 5}}), seeds,
                     {.batch_size = 8, .seed = 1, .blocks = true});
  const auto X = loader.rows(club.features);
  const auto Y = loader.rows(club.labels);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.02});
  auto step = stg::value_and_grad<loss>();
  for (int epoch = 0; epoch < 30; ++epoch)
    for (const stg::loaded_batch& b : loader.epoch(epoch))
      optimizer.step(step(b.blocks(), x = b[X], label = b[Y], params).gradients);
  const auto logits = stg::compile<sage>()(club.graph, x = club.features, params);
  std::printf("accuracy %.1f\n", stg::accuracy(logits, club.labels));
}

// last line: accuracy 1.0
