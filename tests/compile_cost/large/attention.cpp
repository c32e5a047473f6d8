// Sixteen residual attention layers of eight heads with layer norm, and their training step.
#include "numbered.hpp"

constexpr auto x = stg::vertex_feature<"x", 64>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto classes = stg::parameter<"classes", 64, 7>;

template <int K> inline constexpr auto W = stg::parameter<numbered<K>('W'), 64, 64>;
template <int K> inline constexpr auto from = stg::parameter<numbered<K>('s'), 8, 8>;
template <int K> inline constexpr auto to = stg::parameter<numbered<K>('d'), 8, 8>;
template <int K> inline constexpr auto gain = stg::parameter<numbered<K>('g'), 64>;
template <int K> inline constexpr auto shift = stg::parameter<numbered<K>('b'), 64>;

template <int K> constexpr auto layers(auto v, auto h) {
  if constexpr (K == 16) return h;
  else {
    auto attended = h + stg::reshape<64>(stg::nn::gat_conv(v, h, W<K>, from<K>, to<K>));
    return layers<K + 1>(v, elu(gain<K> * stg::nn::layer_norm(attended) + shift<K>));
  }
}
constexpr auto loss = [](auto v) { return cross_entropy(matmul(layers<0>(v, v(x)), classes), v(label), v(known)); };
static_assert(is_planned<loss>());
