// Two networks that tests train, both with dropout: a graph convolutional network and graph attention.
#pragma once

#include "families.hpp"  // from_pairs

#include <stg/stg.hpp>  // the language

#include <cstdint>  // int64_t
#include <cstring>  // memcmp
#include <random>   // mt19937
#include <string>   // string

namespace stg::test {

namespace networks {

inline constexpr auto x = vertex_feature<"x", 12>;
inline constexpr auto label = vertex_feature<"label", i32>;
inline constexpr auto known = vertex_feature<"known", boolean>;

inline constexpr auto W1 = parameter<"W1", 12, 16>;
inline constexpr auto b1 = parameter<"b1", 16>;
inline constexpr auto W2 = parameter<"W2", 16, 5>;
inline constexpr auto gcn = [](auto v) {
  auto hidden = relu(nn::gcn_conv(v, dropout(v(x), 0.5), W1) + b1);  // (16)
  return nn::gcn_conv(v, dropout(hidden, 0.5), W2);                  // (5)
};
inline constexpr auto gcn_loss = [](auto v) {
  auto logits = gcn(v);
  return outputs(cross_entropy(logits, v(label), v(known)), logits);
};

inline constexpr auto U1 = parameter<"U1", 12, 64>;
inline constexpr auto s1 = parameter<"s1", 8, 8>;  // heads × dim
inline constexpr auto t1 = parameter<"t1", 8, 8>;
inline constexpr auto U2 = parameter<"U2", 64, 5>;
inline constexpr auto s2 = parameter<"s2", 1, 5>;
inline constexpr auto t2 = parameter<"t2", 1, 5>;
inline constexpr auto gat = [](auto v) {
  auto heads = nn::gat_conv(v, dropout(v(x), 0.6), U1, s1, t1, 0.6);  // (8, 8)
  auto hidden = dropout(elu(reshape<64>(heads)), 0.6);                // (64)
  return reshape<5>(nn::gat_conv(v, hidden, U2, s2, t2, 0.6));        // (5)
};
inline constexpr auto gat_loss = [](auto v) {
  auto logits = gat(v);
  return outputs(cross_entropy(logits, v(label), v(known)), logits);
};

}  // namespace networks

/// Features, labels and a mask for every vertex of a graph.
struct vertex_data {
  tensor<float> features;       // (vertices, 12)
  tensor<std::int32_t> labels;  // (vertices), in [0, 5)
  tensor<bool> known;           // (vertices)

  vertex_data(std::int64_t vertices, unsigned seed) : features({vertices, 12}), labels({vertices}), known({vertices}) {
    std::mt19937 random(seed);
    uniform(features, -1, 1, seed);
    for (auto& l : labels) l = static_cast<std::int32_t>(random() % 5);
    for (auto& k : known) k = random() % 3 != 0;
  }
};

/// Whether two tensors agree in shape and in every bit.
template <class T> bool same_bits(const const_tensor<T>& a, const const_tensor<T>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

/// Copies of all tensors of a set, that a later call does not overwrite.
template <class... Named> named_values<Named...> copy_of(const named_values<Named...>& set) {
  named_values<Named...> copy;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (([&] {
       const auto& from = set.template get<K>();
       auto& to = copy.template get<K>();
       if constexpr (requires { from.values(); })
         to = std::remove_cvref_t<decltype(to)>::in_id_order(from.values().clone());
       else to = from.clone();
     }()),
     ...);
  }
  (std::make_integer_sequence<int, sizeof...(Named)>());
  return copy;
}

/// The names, or positions, of tensors in which two sets differ; empty when they agree in every bit.
template <class... Named> std::string differences(const named_values<Named...>& a, const named_values<Named...>& b) {
  std::string names;
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (([&] {
       const auto& left = a.template get<K>();
       const auto& right = b.template get<K>();
       bool same;
       if constexpr (requires { left.values(); }) same = same_bits(left.values(), right.values());
       else same = same_bits(left, right);
       if (!same) names += std::string(Named::text()) + "#" + std::to_string(K) + " ";
     }()),
     ...);
  }
  (std::make_integer_sequence<int, sizeof...(Named)>());
  return names;
}

}  // namespace stg::test
