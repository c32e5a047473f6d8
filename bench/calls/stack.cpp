// STG_LAYERS attention layers of one form, called or, with STG_WRITTEN_OUT, written out: compiled, and an epoch timed.
#include <stg/stg.hpp>  // the language

#include <chrono>   // steady_clock
#include <cstdio>   // printf
#include <cstdlib>  // atoi
#include <vector>   // vector

template <int K> constexpr stg::fixed_string<4> numbered(char letter) {
  const char name[4] = {letter, static_cast<char>('0' + K / 10), static_cast<char>('0' + K % 10), 0};
  return stg::fixed_string<4>(name);
}
inline constexpr auto x = stg::vertex_feature<"x", 64>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
template <int K> inline constexpr auto W = stg::parameter<numbered<K>('W'), 64, 64>;
template <int K> inline constexpr auto from = stg::parameter<numbered<K>('s'), 8, 8>;
template <int K> inline constexpr auto to = stg::parameter<numbered<K>('d'), 8, 8>;

inline constexpr auto layer = [](auto v, auto h, auto weight, auto source, auto destination) {
#ifdef STG_DROPOUT
  h = dropout(h, STG_DROPOUT);
#endif
  return elu(h + stg::reshape<64>(stg::nn::gat_conv(v, h, weight, source, destination)));
};
template <int K> constexpr auto layers(auto v, auto h) {
  if constexpr (K == STG_LAYERS) return h;
#ifdef STG_WRITTEN_OUT
  else return layers<K + 1>(v, layer(v, h, W<K>, from<K>, to<K>));
#else
  else return layers<K + 1>(v, call(layer, v, h, W<K>, from<K>, to<K>));
#endif
}
inline constexpr auto loss = [](auto v) { return cross_entropy(layers<0>(v, v(x)), v(label)); };

/// Prints the milliseconds of an epoch, a line for each that it reads: two programs take turns.
int main(int count, char** arguments) {
  const int vertices = count > 1 ? std::atoi(arguments[1]) : 20000, degree = 15;
  std::vector<std::int64_t> starts, ends;
  std::uint64_t state = 1;
  for (std::int64_t k = 0; k < std::int64_t(vertices) * degree; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    starts.push_back(static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(vertices)));
    ends.push_back(k % vertices);
  }
  const stg::graph g = stg::graph::from_edges(vertices, starts, ends);
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.001});
  stg::tensor<float> features({vertices, 64});
  stg::tensor<std::int32_t> labels({vertices});
  stg::uniform(features, -1, 1, 2);
  for (std::int64_t i = 0; i < vertices; ++i) labels.data()[i] = static_cast<std::int32_t>(i % 64);
  auto step = stg::value_and_grad<loss>();
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    const auto begin = std::chrono::steady_clock::now();
    auto now = step(g, x = features, label = labels, params);
    optimizer.step(now.gradients);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    std::printf("%.3f %.9g\n", taken.count(), static_cast<double>(now.loss));
    std::fflush(stdout);
  }
}
