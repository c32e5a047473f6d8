// Convolutions with weights of PyG: those that CI compares, and then all others.
#pragma once

#include "compared.hpp"  // peer

namespace stg::test::convolutions {

inline constexpr auto W = parameter<"W", 4, 6>;
inline constexpr auto U = parameter<"U", 4, 6>;
inline constexpr auto V = parameter<"V", 4, 6>;
inline constexpr auto T = parameter<"T", 4, 6>;
inline constexpr auto b = parameter<"b", 6>;

inline constexpr auto gcn = [](auto v) { return nn::gcn_conv(v, v(x), W) + b; };
inline void compare_gcn(peer& p) {
  const auto of = pyg::gcn_conv(p.file, "gcn_conv");
  p.difference("gcn_conv", compile<gcn>()(p.looped, x = p.x, W = of.W, b = of.bias));
}

// Two heads of six.
inline constexpr auto W2 = parameter<"W2", 4, 12>;
inline constexpr auto U2 = parameter<"U2", 4, 12>;
inline constexpr auto E2 = parameter<"E2", 3, 12>;
inline constexpr auto a_src = parameter<"a_src", 2, 6>;
inline constexpr auto a_dst = parameter<"a_dst", 2, 6>;
inline constexpr auto a_edge = parameter<"a_edge", 2, 6>;
inline constexpr auto b2 = parameter<"b2", 12>;
inline constexpr auto c2 = parameter<"c2", 12>;
inline constexpr auto d2 = parameter<"d2", 12>;

inline constexpr auto gat_of_edges = [](auto v) {
  return reshape<12>(nn::gat_conv(v, v(x), u, W2, E2, a_src, a_dst, a_edge)) + b2;
};
inline void compare_gat_of_edges(peer& p) {
  const auto of = pyg::gat_conv(p.file, "gat_conv_edges");
  p.difference("gat_conv_edges",
               compile<gat_of_edges>()(p.graph, x = p.x, u = p.u, W2 = of.W, E2 = of.W_edge, a_src = of.a_src,
                                       a_dst = of.a_dst, a_edge = of.a_edge, b2 = of.bias));
}

inline constexpr auto eps = scalar<"eps">;
inline constexpr auto M1 = parameter<"M1", 4, 5>;
inline constexpr auto m1 = parameter<"m1", 5>;
inline constexpr auto M2 = parameter<"M2", 5, 6>;
inline constexpr auto m2 = parameter<"m2", 6>;
inline constexpr auto mlp = [](auto y) { return linear(relu(linear(y, M1, m1)), M2, m2); };

inline constexpr auto gin = [](auto v) { return nn::gin_conv(v, v(x), mlp, v(eps)); };
inline void compare_gin(peer& p) {
  const auto of = pyg::gin_conv(p.file, "gin_conv");
  p.difference("gin_conv", compile<gin>()(p.graph, x = p.x, eps = of.eps(), M1 = of.mlp.layers.at(0).W,
                                          m1 = of.mlp.layers.at(0).bias, M2 = of.mlp.layers.at(1).W,
                                          m2 = of.mlp.layers.at(1).bias));
}

}  // namespace stg::test::convolutions
