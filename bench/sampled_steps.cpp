// Training steps of GraphSAGE on sampled neighbours, 128 → 128 → 128 → 40: on blocks beside the batch's graph. And what
// the program of blocks takes on the whole graph, where every vertex is a seed, beside the graph's own: of that
// GraphSAGE, and of attention, 128 → 8 × 8 → 40.
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#include <cstdint>  // int32_t, int64_t
#include <cstdio>   // printf
#include <vector>   // vector

#include "graphs.hpp"  // named
#include "rounds.hpp"  // medians, timed

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 128>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto U1 = stg::parameter<"U1", 128, 128>;
inline constexpr auto V1 = stg::parameter<"V1", 128, 128>;
inline constexpr auto U2 = stg::parameter<"U2", 128, 128>;
inline constexpr auto V2 = stg::parameter<"V2", 128, 128>;
inline constexpr auto U3 = stg::parameter<"U3", 128, 40>;
inline constexpr auto V3 = stg::parameter<"V3", 128, 40>;
inline constexpr auto loss = [](auto v) {
  namespace nn = stg::nn;
  auto h = relu(nn::sage_conv(v, v(x), U1, V1));
  auto g = relu(nn::sage_conv(v, h, U2, V2));
  return cross_entropy(nn::sage_conv(v, g, U3, V3), v(label), v(known));
};

inline constexpr auto W1 = stg::parameter<"W1", 128, 64>;
inline constexpr auto a1 = stg::parameter<"a1", 8, 8>;
inline constexpr auto b1 = stg::parameter<"b1", 8, 8>;
inline constexpr auto W2 = stg::parameter<"W2", 64, 40>;
inline constexpr auto a2 = stg::parameter<"a2", 1, 40>;
inline constexpr auto b2 = stg::parameter<"b2", 1, 40>;
inline constexpr auto attention = [](auto v) {
  auto h = elu(stg::reshape<64>(stg::nn::gat_conv(v, v(x), W1, a1, b1)));
  return cross_entropy(mean(stg::nn::gat_conv(v, h, W2, a2, b2), stg::axis<0>), v(label), v(known));
};

constexpr std::int64_t batches = 8;

/// A step of a loss on the graph and on its blocks, one after the other.
template <const auto& Loss>
void on_the_whole_graph(const char* what, const stg::graph& g, const stg::tensor<float>& features,
                        const stg::tensor<std::int32_t>& classes) {
  const auto all = stg::tensor<bool>::full({g.vertices()}, true);
  auto params = stg::parameters<Loss>();
  stg::initialize(params, 1);
  auto step = stg::value_and_grad<Loss>();
  auto over_hops = stg::value_and_grad<Loss>();
  const stg::blocks hops(g);
  double losses[2]{};
  const auto on_graph = [&] { losses[0] = step(g, x = features, label = classes, known = all, params).loss; };
  const auto on_blocks = [&] { losses[1] = over_hops(hops, x = features, label = classes, known = all, params).loss; };
  const auto medians = rounds::medians({rounds::timed("graph", on_graph), rounds::timed("blocks", on_blocks)}, 5);
  std::printf("  %-10s on the graph %7.1f ms, %5.0f MB; its blocks %7.1f ms, %5.0f MB: %.3f; losses %.5f %.5f\n", what,
              1e3 * medians[0].seconds, static_cast<double>(step.bytes()) / 1e6, 1e3 * medians[1].seconds,
              static_cast<double>(over_hops.bytes()) / 1e6, medians[1].seconds / medians[0].seconds, losses[0],
              losses[1]);
}

}  // namespace

int main() {
  const stg::graph g = *graphs::named("arxiv_like");
  stg::tensor<float> features({g.vertices(), 128});
  stg::uniform(features, -1, 1, 1);
  stg::tensor<std::int32_t> classes({g.vertices()});
  for (std::int64_t v = 0; v < g.vertices(); ++v) classes(v) = static_cast<std::int32_t>(v % 40);
  std::vector<std::int32_t> seeds(batches * 1024);
  for (std::size_t i = 0; i < seeds.size(); ++i)
    seeds[i] = static_cast<std::int32_t>(i * (static_cast<std::size_t>(g.vertices()) / seeds.size()));
  stg::loader loader(stg::neighbour_sampler(g, {.fan_outs = {15, 10, 5}}), seeds,
                     {.batch_size = 1024, .seed = 1, .ahead = 1, .threads = 0});
  const auto X = loader.rows(features);
  const auto Y = loader.rows(classes);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  auto of_graph = stg::value_and_grad<loss>();
  auto of_blocks = stg::value_and_grad<loss>();

  // Each batch is given to both, one after the other.
  double on_graph = 0, on_blocks = 0, losses[2]{};
  const auto epoch = [&] {
    on_graph = on_blocks = losses[0] = losses[1] = 0;
    for (const stg::loaded_batch& b : loader.epoch(0)) {
      on_graph += rounds::seconds_of(
          [&] { losses[0] += of_graph(b.graph, x = b[X], label = b[Y], known = b.known, params).loss; });
      on_blocks += rounds::seconds_of(
          [&] { losses[1] += of_blocks(b.blocks(), x = b[X], label = b[Y], known = b.known, params).loss; });
    }
    return std::vector<double>{on_graph, on_blocks};
  };
  const auto medians = rounds::medians({{{"graph", "blocks"}, epoch}}, 5);
  const auto print = [&](const char* on, double seconds, std::int64_t bytes, double sum) {
    std::printf("  a step on %-17s %7.1f ms, %6.0f MB, loss %.5f\n", on, 1e3 * seconds / batches,
                static_cast<double>(bytes) / 1e6, sum / batches);
  };
  std::printf("arxiv_like, 15-10-5 from 1,024 seeds\n");
  print("the batch's graph", medians[0].seconds, of_graph.bytes(), losses[0]);
  print("its blocks", medians[1].seconds, of_blocks.bytes(), losses[1]);
  std::printf("arxiv_like, all of it\n");
  on_the_whole_graph<loss>("GraphSAGE", g, features, classes);
  on_the_whole_graph<attention>("attention", g, features, classes);
}
