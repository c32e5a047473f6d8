// Normalisations, readouts and layers of several kinds of vertices with weights of PyG.
#pragma once

#include "compared.hpp"  // peer

namespace stg::test::norms {

inline constexpr auto gain = parameter<"gain", 4>;
inline constexpr auto bias = parameter<"bias", 4>;
inline constexpr auto alpha = parameter<"alpha", 4>;
inline constexpr auto mean_so_far = graph_feature<"mean_so_far", 4>;
inline constexpr auto variance_so_far = graph_feature<"variance_so_far", 4>;
inline constexpr auto layer_norm = [](auto v) { return gain * nn::layer_norm(v(x)) + bias; };
inline constexpr auto layer_norm_graph = [](auto v) { return gain * nn::layer_norm(v(x), all_vertices) + bias; };
inline constexpr auto graph_norm = [](auto v) { return gain * nn::graph_norm(v(x), alpha) + bias; };
inline constexpr auto batch_norm = [](auto v) {
  auto [y, m, s] = nn::batch_norm(v(x), mean_so_far, variance_so_far);
  return gain * y + bias;
};
inline void compare_norms(peer& p) {
  const auto node = pyg::layer_norm(p.file, "layer_norm"), whole = pyg::layer_norm(p.file, "layer_norm_graph");
  p.difference("layer_norm", compile<layer_norm>()(p.graph, x = p.x, gain = node.gain, bias = node.bias));
  p.difference("layer_norm_graph", compile<layer_norm_graph>()(p.graph, x = p.x, gain = whole.gain, bias = whole.bias));
  const auto of_graph = pyg::graph_norm(p.file, "graph_norm");
  p.difference("graph_norm", compile<graph_norm>()(p.graph, x = p.x, gain = of_graph.gain, bias = of_graph.bias,
                                                   alpha = of_graph.alpha));
  const auto batch = pyg::batch_norm(p.file, "batch_norm");
  p.difference("batch_norm", compile<batch_norm>()(p.graph, x = p.x, gain = batch.gain, bias = batch.bias,
                                                   mean_so_far = batch.mean, variance_so_far = batch.variance));
}

inline constexpr auto atom = vertex_set<"atom">;
inline constexpr auto molecule = vertex_set<"molecule">;
inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
inline constexpr auto xm = atom.feature<"xm", 4>;
inline constexpr auto G = parameter<"G", 4, 1>;
inline constexpr auto g = parameter<"g", 1>;
inline constexpr auto W = parameter<"W", 4, 6>;
inline constexpr auto b = parameter<"b", 6>;
inline constexpr auto I = parameter<"I", 8, 16>;
inline constexpr auto S = parameter<"S", 4, 16>;
inline constexpr auto d = parameter<"d", 16>;
inline constexpr auto attention_pool = [](auto v) {
  return nn::global_attention_pool(
      v(molecule).in_edges(part_of), v(atom)(xm), [](auto y) { return linear(y, G, g); },
      [](auto y) { return linear(y, W, b); });
};
inline constexpr auto set2set = [](auto v) {
  return nn::set2set<3>(v(molecule).in_edges(part_of), v(atom)(xm), nn::lstm{I, S, d});
};
inline void compare_readouts(peer& p) {
  const std::int64_t n = p.x.extent(0);
  std::vector<std::int64_t> all, one(static_cast<std::size_t>(n), 0);
  for (std::int64_t i = 0; i < n; ++i) all.push_back(i);
  graphs whole;
  whole.add_vertices("atom", n).add_vertices("molecule", 1).add_edges("part of", "atom", "molecule", all, one);
  const auto of = pyg::global_attention_pool(p.file, "global_attention_pool");
  p.difference("global_attention_pool", compile<attention_pool>()(whole, xm = p.x, G = of.gate.W, g = of.gate.bias,
                                                                  W = of.nn.W, b = of.nn.bias));
  const auto asked = pyg::set2set(p.file, "set2set").lstm;
  p.difference("set2set", compile<set2set>()(whole, xm = p.x, I = asked.I, S = asked.S, d = asked.bias));
}

inline constexpr auto If = parameter<"If", 6, 36>;
inline constexpr auto Sf = parameter<"Sf", 9, 36>;
inline constexpr auto df = parameter<"df", 36>;
inline constexpr auto Ib = parameter<"Ib", 6, 36>;
inline constexpr auto Sb = parameter<"Sb", 9, 36>;
inline constexpr auto db = parameter<"db", 36>;
inline constexpr auto score = parameter<"score", 18, 1>;
inline constexpr auto jumping = [](auto v) {
  return nn::jumping_knowledge_lstm(nn::lstm{If, Sf, df}, nn::lstm{Ib, Sb, db}, score, v(h), v(c), v(h) * v(c));
};
inline void compare_jumping(peer& p) {
  const auto of = pyg::jumping_knowledge_lstm(p.file, "jumping_knowledge_lstm");
  p.difference("jumping_knowledge_lstm",
               compile<jumping>()(p.graph, h = p.h, c = p.c, If = of.forward.I, Sf = of.forward.S, df = of.forward.bias,
                                  Ib = of.backward.I, Sb = of.backward.S, db = of.backward.bias, score = of.score));
}

inline constexpr auto author = vertex_set<"a">;
inline constexpr auto paper = vertex_set<"p">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto cites = stg::relation<"cites", paper, paper>;
inline constexpr auto xa = author.feature<"xa", 4>;
inline constexpr auto xp = paper.feature<"xp", 4>;
inline constexpr auto Ma = parameter<"Ma", 4, 8>;
inline constexpr auto ma = parameter<"ma", 8>;
inline constexpr auto Mp = parameter<"Mp", 4, 8>;
inline constexpr auto mp = parameter<"mp", 8>;
inline constexpr auto s1 = parameter<"s1", 2, 4>;
inline constexpr auto t1 = parameter<"t1", 2, 4>;
inline constexpr auto s2 = parameter<"s2", 2, 4>;
inline constexpr auto t2 = parameter<"t2", 2, 4>;
inline constexpr auto told = parameter<"told", 8, 8>;
inline constexpr auto tb = parameter<"tb", 8>;
inline constexpr auto asks = parameter<"asks", 8>;
inline constexpr auto han = [](auto v) {
  const auto p = v(paper);
  const auto ha = linear(v(author)(xa), Ma, ma), hp = linear(p(xp), Mp, mp);
  return nn::han_conv([](auto y) { return linear(y, told, tb); }, asks,  // PyG's terms end in relu
                      relu(nn::attention_over(p.in_edges(writes), ha, hp, s1, t1)),
                      relu(nn::attention_over(p.in_edges(cites), hp, hp, s2, t2)));
};
inline constexpr auto ha = author.feature<"ha", 8>;
inline constexpr auto hp = paper.feature<"hp", 8>;
inline constexpr auto Ka = parameter<"Ka", 8, 8>;
inline constexpr auto ka = parameter<"ka", 8>;
inline constexpr auto Va = parameter<"Va", 8, 8>;
inline constexpr auto va = parameter<"va", 8>;
inline constexpr auto Kp = parameter<"Kp", 8, 8>;
inline constexpr auto kp = parameter<"kp", 8>;
inline constexpr auto Vp = parameter<"Vp", 8, 8>;
inline constexpr auto vp = parameter<"vp", 8>;
inline constexpr auto Qp = parameter<"Qp", 8, 8>;
inline constexpr auto qp = parameter<"qp", 8>;
inline constexpr auto Ap = parameter<"Ap", 8, 8>;
inline constexpr auto ap = parameter<"ap", 8>;
inline constexpr auto skip = scalar<"skip">;
inline constexpr auto W_w = parameter<"W_w", 2, 4, 4>;
inline constexpr auto V_w = parameter<"V_w", 2, 4, 4>;
inline constexpr auto m_w = parameter<"m_w", 2>;
inline constexpr auto W_c = parameter<"W_c", 2, 4, 4>;
inline constexpr auto V_c = parameter<"V_c", 2, 4, 4>;
inline constexpr auto m_c = parameter<"m_c", 2>;
inline constexpr auto hgt = [](auto v) {
  const auto p = v(paper);
  const auto query = [](auto y) { return linear(y, Qp, qp); }, out = [](auto y) { return linear(y, Ap, ap); };
  return nn::hgt_conv(p(hp), query, out, v(skip),
                      nn::hgt_relation{p.in_edges(writes), v(author)(ha), [](auto y) { return linear(y, Ka, ka); },
                                       [](auto y) { return linear(y, Va, va); }, W_w, V_w, m_w},
                      nn::hgt_relation{p.in_edges(cites), p(hp), [](auto y) { return linear(y, Kp, kp); },
                                       [](auto y) { return linear(y, Vp, vp); }, W_c, V_c, m_c});
};
inline void compare_kinds(peer& p) {
  graphs both;
  both.add_vertices("a", 4).add_vertices("p", 5);
  for (const auto& [name, from] : {std::pair{"writes", "a"}, std::pair{"cites", "p"}}) {
    const auto ends = p.file.read_as<std::int64_t>(std::string("in/") + name);
    const std::int64_t n = ends.extent(1);
    both.add_edges(name, from, "p", std::vector<std::int64_t>(ends.data(), ends.data() + n),
                   std::vector<std::int64_t>(ends.data() + n, ends.data() + 2 * n));
  }
  const auto of = pyg::han_conv(p.file, "han_conv");
  const auto &r1 = of.relations.at("a__writes__p"), &r2 = of.relations.at("p__cites__p");
  p.difference("han_conv", compile<han>()(both, xa = p.in("xa"), xp = p.in("xp"), Ma = of.project.at("a").W,
                                          ma = of.project.at("a").bias, Mp = of.project.at("p").W,
                                          mp = of.project.at("p").bias, s1 = r1.a_src, t1 = r1.a_dst, s2 = r2.a_src,
                                          t2 = r2.a_dst, told = of.told.W, tb = of.told.bias, asks = of.asks));
  const auto t = pyg::hgt_conv(p.file, "hgt_conv", {"a__writes__p", "p__cites__p"});
  const auto &sa = t.sets.at("a"), &sp = t.sets.at("p");
  const auto &e1 = t.relations.at("a__writes__p"), &e2 = t.relations.at("p__cites__p");
  p.difference("hgt_conv", compile<hgt>()(both, ha = p.in("ha"), hp = p.in("hp"), Ka = sa.key.W, ka = sa.key.bias,
                                          Va = sa.message.W, va = sa.message.bias, Kp = sp.key.W, kp = sp.key.bias,
                                          Vp = sp.message.W, vp = sp.message.bias, Qp = sp.query.W, qp = sp.query.bias,
                                          Ap = sp.out.W, ap = sp.out.bias, skip = sp.skip(), W_w = e1.W, V_w = e1.V,
                                          m_w = e1.prior, W_c = e2.W, V_c = e2.V, m_c = e2.prior));
}

}  // namespace stg::test::norms
