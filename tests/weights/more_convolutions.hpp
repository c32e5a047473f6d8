// All other convolutions with weights of PyG.
#pragma once

#include "convolutions.hpp"  // W, U

namespace stg::test::convolutions {

inline constexpr auto weighted_gcn = [](auto v) { return nn::gcn_conv(nn::weighted(v, w), v(x), W) + b; };
inline constexpr auto cheb = [](auto v) { return nn::cheb_conv(v, v(x), W, U, V) + b; };
inline constexpr auto tag = [](auto v) { return nn::tag_conv(v, v(x), W, U, V) + b; };
inline constexpr auto sgc = [](auto v) { return nn::sgc(v, v(x), W, 2) + b; };
inline void compare_polynomials(peer& p) {
  const auto weighted = pyg::gcn_conv(p.file, "gcn_conv_weighted");
  p.difference("gcn_conv_weighted",
               compile<weighted_gcn>()(p.graph, x = p.x, w = p.w, W = weighted.W, b = weighted.bias));
  const auto of_cheb = pyg::cheb_conv(p.file, "cheb_conv");
  p.difference("cheb_conv", compile<cheb>()(p.both_ways, x = p.x, W = of_cheb.W.at(0), U = of_cheb.W.at(1),
                                            V = of_cheb.W.at(2), b = of_cheb.bias));
  const auto of_tag = pyg::tag_conv(p.file, "tag_conv");
  p.difference("tag_conv", compile<tag>()(p.graph, x = p.x, W = of_tag.W.at(0), U = of_tag.W.at(1), V = of_tag.W.at(2),
                                          b = of_tag.bias));
  const auto of_sgc = pyg::sgc(p.file, "sgc");
  p.difference("sgc", compile<sgc>()(p.looped, x = p.x, W = of_sgc.W, b = of_sgc.bias));
}

inline constexpr auto Wo = parameter<"Wo", 6, 6>;
inline constexpr auto bo = parameter<"bo", 6>;
inline constexpr auto arma = [](auto v) {
  return nn::arma_conv(
      v, v(x), W, [](auto y) { return linear(y, U, b); }, Wo, [](auto y) { return linear(y, V, bo); });
};
inline void compare_arma(peer& p) {
  const auto of = pyg::arma_conv(p.file, "arma_conv");
  tensor<float> mean({p.x.extent(0), 6});
  for (const auto& stack : of.stacks) {
    const auto y = compile<arma>()(p.graph, x = p.x, W = stack.W.at(0), U = stack.V.at(0), b = stack.bias.at(0),
                                   Wo = stack.W.at(1), V = stack.V.at(1), bo = stack.bias.at(1));
    for (std::int64_t i = 0; i < y.size(); ++i) mean.data()[i] += y.data()[i] / static_cast<float>(of.stacks.size());
  }
  p.difference("arma_conv", mean);
}

inline constexpr auto gat = [](auto v) { return reshape<12>(nn::gat_conv(v, v(x), W2, a_src, a_dst)) + b2; };
inline constexpr auto from_source = [](auto y) { return linear(y, W2, c2); };
inline constexpr auto at_destination = [](auto y) { return linear(y, U2, d2); };
inline constexpr auto gatv2 = [](auto v) {
  return reshape<12>(nn::gatv2_conv(v, v(x), from_source, at_destination, a_src)) + b2;
};
inline constexpr auto gatv2_of_edges = [](auto v) {
  return reshape<12>(nn::gatv2_conv(v, v(x), u, from_source, at_destination, E2, a_src)) + b2;
};
inline void compare_attention(peer& p) {
  const auto of_gat = pyg::gat_conv(p.file, "gat_conv");
  p.difference("gat_conv", compile<gat>()(p.looped, x = p.x, W2 = of_gat.W, a_src = of_gat.a_src, a_dst = of_gat.a_dst,
                                          b2 = of_gat.bias));
  const auto of = pyg::gatv2_conv(p.file, "gatv2_conv");
  p.difference("gatv2_conv", compile<gatv2>()(p.looped, x = p.x, W2 = of.W_src, c2 = of.b_src, U2 = of.W_dst,
                                              d2 = of.b_dst, a_src = of.a, b2 = of.bias));
  const auto with = pyg::gatv2_conv(p.file, "gatv2_conv_edges");
  p.difference("gatv2_conv_edges",
               compile<gatv2_of_edges>()(p.graph, x = p.x, u = p.u, W2 = with.W_src, c2 = with.b_src, U2 = with.W_dst,
                                         d2 = with.b_dst, E2 = with.W_edge, a_src = with.a, b2 = with.bias));
}

inline constexpr auto V2 = parameter<"V2", 4, 12>;
inline constexpr auto S2 = parameter<"S2", 4, 12>;
inline constexpr auto B2 = parameter<"B2", 36, 1>;
inline constexpr auto e2 = parameter<"e2", 12>;
inline constexpr auto query = [](auto y) { return linear(y, W2, b2); };
inline constexpr auto key = [](auto y) { return linear(y, U2, c2); };
inline constexpr auto value = [](auto y) { return linear(y, V2, d2); };
inline constexpr auto self = [](auto y) { return linear(y, S2, e2); };
inline constexpr auto transformer = [](auto v) { return nn::transformer_conv<2, 6>(v, v(x), query, key, value, self); };
inline constexpr auto gated_transformer = [](auto v) {
  return nn::transformer_conv<2, 6>(v, v(x), u, query, key, value, E2, self, B2);
};
inline void compare_transformers(peer& p) {
  const auto of = pyg::transformer_conv(p.file, "transformer_conv");
  p.difference("transformer_conv",
               compile<transformer>()(p.graph, x = p.x, W2 = of.W_query, b2 = of.b_query, U2 = of.W_key, c2 = of.b_key,
                                      V2 = of.W_value, d2 = of.b_value, S2 = of.W_self, e2 = of.b_self));
  const auto with = pyg::transformer_conv(p.file, "transformer_conv_edges");
  p.difference("transformer_conv_edges",
               compile<gated_transformer>()(p.graph, x = p.x, u = p.u, W2 = with.W_query, b2 = with.b_query,
                                            U2 = with.W_key, c2 = with.b_key, V2 = with.W_value, d2 = with.b_value,
                                            S2 = with.W_self, e2 = with.b_self, E2 = with.W_edge, B2 = with.W_beta));
}

inline constexpr auto Px = parameter<"Px", 4, 4>;
inline constexpr auto px = parameter<"px", 4>;
inline constexpr auto sage = [](auto v) { return nn::sage_conv(v, v(x), U, W) + b; };
inline constexpr auto sage_max = [](auto v) {
  auto e = v.in_edges();
  return matmul(v(x), U) + matmul(max(e.src(relu(linear(v(x), Px, px)))), W) + b;  // project has no place in sage_conv
};
inline constexpr auto graph_conv = [](auto v) { return nn::graph_conv(nn::weighted(v, w), v(x), U, W) + b; };
inline constexpr auto Eu = parameter<"Eu", 3, 4>;
inline constexpr auto eu = parameter<"eu", 4>;
inline constexpr auto gine = [](auto v) {
  return nn::gine_conv(v, v(x), linear(v.in_edges()(u), Eu, eu), mlp, v(eps));
};
inline constexpr auto N1 = parameter<"N1", 8, 5>;
inline constexpr auto edge = [](auto v) {
  return nn::edge_conv(v, v(x), [](auto y) { return linear(relu(linear(y, N1, m1)), M2, m2); });
};
inline void compare_aggregates(peer& p) {
  const auto of = pyg::sage_conv(p.file, "sage_conv");
  p.difference("sage_conv", compile<sage>()(p.graph, x = p.x, U = of.W_self, W = of.W_neighbours, b = of.bias));
  const auto most = pyg::sage_conv(p.file, "sage_conv_max");
  p.difference("sage_conv_max", compile<sage_max>()(p.graph, x = p.x, Px = most.project.W, px = most.project.bias,
                                                    U = most.W_self, W = most.W_neighbours, b = most.bias));
  const auto sums = pyg::graph_conv(p.file, "graph_conv");
  p.difference("graph_conv",
               compile<graph_conv>()(p.graph, x = p.x, w = p.w, U = sums.W_self, W = sums.W_neighbours, b = sums.bias));
  const auto with = pyg::gine_conv(p.file, "gine_conv");
  p.difference("gine_conv",
               compile<gine>()(p.graph, x = p.x, u = p.u, eps = with.eps(), Eu = with.edge.W, eu = with.edge.bias,
                               M1 = with.mlp.layers.at(0).W, m1 = with.mlp.layers.at(0).bias,
                               M2 = with.mlp.layers.at(1).W, m2 = with.mlp.layers.at(1).bias));
  const auto ends = pyg::edge_conv(p.file, "edge_conv");
  p.difference("edge_conv",
               compile<edge>()(p.graph, x = p.x, N1 = ends.mlp.layers.at(0).W, m1 = ends.mlp.layers.at(0).bias,
                               M2 = ends.mlp.layers.at(1).W, m2 = ends.mlp.layers.at(1).bias));
}

inline constexpr auto A = parameter<"A", 4, 4>;
inline constexpr auto B = parameter<"B", 4, 4>;
inline constexpr auto D = parameter<"D", 4, 4>;
inline constexpr auto a = parameter<"a", 4>;
inline constexpr auto C = parameter<"C", 52, 6>;
inline constexpr auto F = parameter<"F", 6, 6>;
inline constexpr auto f = parameter<"f", 6>;
inline constexpr auto delta = scalar<"delta">;
inline constexpr auto pna = [](auto v) {
  auto y = nn::pna_conv(
      v, v(x), [](auto y) { return linear(y, A, a); }, B, [](auto y) { return linear(y, C, b); }, v(delta));
  return linear(y, F, f);
};
inline constexpr auto C3 = parameter<"C3", 52, 3>;
inline constexpr auto b3 = parameter<"b3", 3>;
inline constexpr auto A4 = parameter<"A4", 4, 4>;
inline constexpr auto B4 = parameter<"B4", 4, 4>;
inline constexpr auto D4 = parameter<"D4", 4, 4>;
inline constexpr auto a4 = parameter<"a4", 4>;
inline constexpr auto C4 = parameter<"C4", 52, 3>;
inline constexpr auto b4 = parameter<"b4", 3>;
inline constexpr auto pna_of_edges = [](auto v) {
  auto m = linear(v.in_edges()(u), Eu, eu);
  auto one = nn::pna_conv(
      v, v(x), m, [](auto y) { return linear(y, A, a); }, B, D, [](auto y) { return linear(y, C3, b3); }, v(delta));
  auto two = nn::pna_conv(
      v, v(x), m, [](auto y) { return linear(y, A4, a4); }, B4, D4, [](auto y) { return linear(y, C4, b4); }, v(delta));
  return linear(concat<axis<0>>(one, two), F, f);
};
inline void compare_pna(peer& p) {
  const auto of = pyg::pna_conv(p.file, "pna_conv");
  const auto& t = of.towers.at(0);
  p.difference("pna_conv", compile<pna>()(p.graph, x = p.x, A = t.W_dst, a = t.bias, B = t.W_src, C = t.U, b = t.b_u,
                                          F = of.last.W, f = of.last.bias, delta = of.delta()));
  const auto with = pyg::pna_conv(p.file, "pna_conv_edges");
  const auto &one = with.towers.at(0), &two = with.towers.at(1);
  p.difference("pna_conv_edges",
               compile<pna_of_edges>()(p.graph, x = p.x, u = p.u, Eu = with.edge.W, eu = with.edge.bias, A = one.W_dst,
                                       a = one.bias, B = one.W_src, D = one.W_edge, C3 = one.U, b3 = one.b_u,
                                       A4 = two.W_dst, a4 = two.bias, B4 = two.W_src, D4 = two.W_edge, C4 = two.U,
                                       b4 = two.b_u, F = with.last.W, f = with.last.bias, delta = with.delta()));
}

inline constexpr auto bv = parameter<"bv", 6>;
inline constexpr auto bi = parameter<"bi", 6>;
inline constexpr auto bj = parameter<"bj", 6>;
inline constexpr auto Ev = parameter<"Ev", 3, 6>;
inline constexpr auto Eg = parameter<"Eg", 3, 6>;
inline constexpr auto passed = [](auto y) { return linear(y, W, bv); };
inline constexpr auto gate_i = [](auto y) { return linear(y, V, bi); };
inline constexpr auto gate_j = [](auto y) { return linear(y, T, bj); };
inline constexpr auto res_gated = [](auto v) { return nn::res_gated_conv(v, v(x), U, passed, gate_i, gate_j) + b; };
inline constexpr auto res_gated_of_edges = [](auto v) {
  return nn::res_gated_conv(v, v(x), u, U, passed, Ev, gate_i, gate_j, Eg) + b;
};
inline constexpr auto Gs = parameter<"Gs", 4, 6>;
inline constexpr auto Bs = parameter<"Bs", 4, 6>;
inline constexpr auto film = [](auto v) {
  return nn::film_conv(v, v(x), nn::modulation{U, Gs, Bs}, nn::modulation{W, gate_i, gate_j});
};
inline void compare_gated(peer& p) {
  const auto of = pyg::res_gated_conv(p.file, "res_gated_conv");
  p.difference("res_gated_conv",
               compile<res_gated>()(p.graph, x = p.x, U = of.W_self, b = of.bias, W = of.W_value, bv = of.b_value,
                                    V = of.G_dst, bi = of.b_dst, T = of.G_src, bj = of.b_src));
  const auto with = pyg::res_gated_conv(p.file, "res_gated_conv_edges");
  p.difference("res_gated_conv_edges",
               compile<res_gated_of_edges>()(p.graph, x = p.x, u = p.u, U = with.W_self, b = with.bias,
                                             W = with.W_value, bv = with.b_value, V = with.G_dst, bi = with.b_dst,
                                             T = with.G_src, bj = with.b_src, Ev = with.W_edge, Eg = with.G_edge));
  const auto of_film = pyg::film_conv(p.file, "film_conv");
  const auto& r = of_film.relations.at(0);
  p.difference("film_conv",
               compile<film>()(p.graph, x = p.x, U = of_film.self.W, Gs = of_film.self.gamma, Bs = of_film.self.beta,
                               W = r.W, V = r.gamma, bi = r.b_gamma, T = r.beta, bj = r.b_beta));
}

inline constexpr auto bases = parameter<"bases", 2, 4, 6>;
inline constexpr auto mixture = parameter<"mixture", 3, 2>;
inline constexpr auto each = parameter<"each", 3, 4, 6>;
inline constexpr auto its_own = parameter<"its_own", 3, 3>;
inline constexpr auto rgcn = [](auto v) { return nn::rgcn_conv(v, v(x), relation, U, bases, mixture) + b; };
inline constexpr auto rgcn_of_each = [](auto v) { return nn::rgcn_conv(v, v(x), relation, U, each, its_own) + b; };
inline void compare_rgcn(peer& p) {
  const auto of = pyg::rgcn_conv(p.file, "rgcn_conv");
  p.difference("rgcn_conv", compile<rgcn>()(p.graph, x = p.x, relation = p.relation, U = of.W_self, bases = of.bases,
                                            mixture = of.coefficients, b = of.bias));
  const auto whole = pyg::rgcn_conv(p.file, "rgcn_conv_whole");
  p.difference("rgcn_conv_whole",
               compile<rgcn_of_each>()(p.graph, x = p.x, relation = p.relation, U = whole.W_self, each = whole.bases,
                                       its_own = whole.coefficients, b = whole.bias));
}

}  // namespace stg::test::convolutions
