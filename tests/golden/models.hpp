// The models whose explain texts are kept: a layer and a two-layer model of both kinds of convolution.
#pragma once

#include <stg/stg.hpp>  // the language, gcn_conv, gat_conv

namespace golden {

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto train = stg::vertex_feature<"train", stg::boolean>;

// ---- graph convolution: 16 hidden features ----

inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto gcn_layer = [](auto v) { return stg::nn::gcn_conv(v, v(x), W1) + b1; };

inline constexpr auto gcn_logits = [](auto v) {
  constexpr auto conv = [](auto v, auto h, auto w, auto b) { return stg::nn::gcn_conv(v, dropout(h, 0.5), w) + b; };
  auto h = stg::scope<"conv1">(v, conv, v(x), W1, b1);
  return stg::scope<"conv2">(v, conv, relu(h), W2, b2);
};
inline constexpr auto gcn = [](auto v) { return cross_entropy(gcn_logits(v), v(label), v(train)); };

// ---- attention: 8 heads of 8 features, then one head of C ----

inline constexpr auto V1 = stg::parameter<"V1", stg::extent<"F">, 64>;
inline constexpr auto s1 = stg::parameter<"s1", 8, 8>;
inline constexpr auto d1 = stg::parameter<"d1", 8, 8>;
inline constexpr auto c1 = stg::parameter<"c1", 64>;
inline constexpr auto V2 = stg::parameter<"V2", 64, stg::extent<"C">>;
inline constexpr auto s2 = stg::parameter<"s2", 1, stg::extent<"C">>;
inline constexpr auto d2 = stg::parameter<"d2", 1, stg::extent<"C">>;
inline constexpr auto c2 = stg::parameter<"c2", stg::extent<"C">>;

inline constexpr auto gat_layer = [](auto v) { return stg::nn::gat_conv(v, v(x), V1, s1, d1); };

inline constexpr auto gat_logits = [](auto v) {
  constexpr auto conv = [](auto v, auto h, auto w, auto s, auto d) {
    return stg::nn::gat_conv(v, dropout(h, 0.6), w, s, d, 0.6);
  };
  auto h = stg::scope<"conv1">(v, conv, v(x), V1, s1, d1);
  auto hidden = elu(stg::reshape<64>(h) + c1);
  auto out = stg::scope<"conv2">(v, conv, hidden, V2, s2, d2);
  return stg::reshape<stg::extent<"C">>(out) + c2;
};
inline constexpr auto gat = [](auto v) { return cross_entropy(gat_logits(v), v(label), v(train)); };

}  // namespace golden
