// Thirty-two graph convolutions, and their training step.
#include "numbered.hpp"

constexpr auto x = stg::vertex_feature<"x", 64>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto classes = stg::parameter<"classes", 64, 7>;

template <int K> inline constexpr auto W = stg::parameter<numbered<K>('W'), 64, 64>;
template <int K> inline constexpr auto b = stg::parameter<numbered<K>('b'), 64>;

template <int K> constexpr auto layers(auto v, auto h) {
  if constexpr (K == 32) return h;
  else return layers<K + 1>(v, dropout(relu(stg::nn::gcn_conv(v, h, W<K>) + b<K>), 0.5));
}
constexpr auto loss = [](auto v) { return cross_entropy(matmul(layers<0>(v, v(x)), classes), v(label), v(known)); };
static_assert(is_planned<loss>());
