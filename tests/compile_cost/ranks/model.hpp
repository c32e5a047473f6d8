// A convolution and attention of eight heads, which the files beside it train.
#pragma once

#include <stg/stg.hpp>  // the language, gcn_conv, gat_conv

inline constexpr auto x = stg::vertex_feature<"x", 64>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W1 = stg::parameter<"W1", 64, 64>;
inline constexpr auto W2 = stg::parameter<"W2", 64, 16>;
inline constexpr auto from = stg::parameter<"from", 8, 8>;
inline constexpr auto to = stg::parameter<"to", 8, 8>;
inline constexpr auto loss = [](auto v) {
  auto h = elu(stg::reshape<64>(stg::nn::gat_conv(v, v(x), W1, from, to)));
  return cross_entropy(stg::nn::gcn_conv(v, h, W2), v(label));
};
