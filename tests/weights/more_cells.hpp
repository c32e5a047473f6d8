// All other cells, and networks of several steps, with weights of PyTorch, PyG and PyG-T.
#pragma once

#include "cells.hpp"  // I, S

namespace stg::test::cells {

inline constexpr auto lstm = [](auto v) {
  const auto s = nn::lstm{I, S, d}(v, v(x), v(h), v(c));
  return outputs(s.h, s.c);
};
inline constexpr auto gc_lstm = [](auto v) {
  const auto s = nn::gc_lstm{I, nn::chebyshev{S, R}, [](auto, auto y) { return y; }, d}(v, v(x), v(h), v(c));
  return outputs(s.h, s.c);
};
inline void compare_lstms(peer& p) {
  const auto of = pyg::lstm(p.file, "lstm");
  const auto [h1, c1] = compile<lstm>()(p.graph, x = p.x, h = p.h, c = p.c, I = of.I, S = of.S, d = of.bias);
  p.difference("lstm", h1, c1);
  const auto gc = pyg::gc_lstm(p.file, "gc_lstm");
  const auto [h2, c2] =
      compile<gc_lstm>()(p.both_ways, x = p.x, h = p.h, c = p.c, I = gc.I, S = gc.S.at(0), R = gc.S.at(1), d = gc.bias);
  p.difference("gc_lstm", h2, c2);
}

inline constexpr auto bases_x = parameter<"bases_x", 8, 4, 24>;
inline constexpr auto bases_h = parameter<"bases_h", 8, 6, 24>;
inline constexpr auto mixture_x = parameter<"mixture_x", 3, 8>;
inline constexpr auto mixture_h = parameter<"mixture_h", 3, 8>;
inline constexpr auto lrgcn = [](auto v) {
  const auto s = nn::lrgcn{nn::relational{relation, I, bases_x, mixture_x},
                           nn::relational{relation, S, bases_h, mixture_h}, d}(v, v(x), v(h), v(c));
  return outputs(s.h, s.c);
};
inline void compare_lrgcn(peer& p) {
  const auto of = pyg::lrgcn(p.file, "lrgcn");
  const auto [h1, c1] =
      compile<lrgcn>()(p.graph, x = p.x, h = p.h, c = p.c, relation = p.relation, I = of.input.W_self,
                       bases_x = of.input.bases, mixture_x = of.input.coefficients, S = of.state.W_self,
                       bases_h = of.state.bases, mixture_h = of.state.coefficients, d = of.bias);
  p.difference("lrgcn", h1, c1);
}

inline constexpr auto I3 = parameter<"I3", 4, 18>;
inline constexpr auto J3 = parameter<"J3", 4, 18>;
inline constexpr auto S3 = parameter<"S3", 6, 18>;
inline constexpr auto S2 = parameter<"S2", 6, 12>;
inline constexpr auto R2 = parameter<"R2", 6, 12>;
inline constexpr auto N = parameter<"N", 6, 6>;
inline constexpr auto M = parameter<"M", 6, 6>;
inline constexpr auto d3 = parameter<"d3", 18>;
inline constexpr auto e3 = parameter<"e3", 18>;
inline constexpr auto F3 = parameter<"F3", 18, 18>;
inline constexpr auto of_state = [](auto y) { return linear(y, S3, e3); };
inline constexpr auto gru = [](auto v) { return nn::gru{I3, of_state, d3}(v, v(x), v(h)); };
inline constexpr auto tgcn = [](auto v) { return nn::tgcn{I3, F3, S2, N, d3}(v, v(x), v(h)); };
inline constexpr auto gconv_gru = [](auto v) {
  return nn::gconv_gru{nn::chebyshev{I3, J3}, nn::chebyshev{S2, R2}, nn::chebyshev{N, M}, d3}(v, v(x), v(h));
};
inline void compare_grus(peer& p) {
  const auto of = pyg::gru(p.file, "gru");
  p.difference("gru", compile<gru>()(p.graph, x = p.x, h = p.h, I3 = of.I, S3 = of.S, d3 = of.bias, e3 = of.b_state));
  const auto t = pyg::tgcn(p.file, "tgcn");
  const auto looped = p.both_ways.add_self_loops();
  p.difference("tgcn", compile<tgcn>()(looped, x = p.x, h = p.h, I3 = t.W, F3 = t.F, S2 = t.S, N = t.N, d3 = t.bias));
  const auto g = pyg::gconv_gru(p.file, "gconv_gru");
  p.difference("gconv_gru",
               compile<gconv_gru>()(p.both_ways, x = p.x, h = p.h, I3 = g.I.at(0), J3 = g.I.at(1), S2 = g.S.at(0),
                                    R2 = g.S.at(1), N = g.N.at(0), M = g.N.at(1), d3 = g.bias));
}

inline constexpr auto G1 = parameter<"G1", 6, 6>;
inline constexpr auto G2 = parameter<"G2", 6, 6>;
inline constexpr auto H3 = parameter<"H3", 6, 18>;
inline constexpr auto K4 = parameter<"K4", 6, 24>;
inline constexpr auto padded = [](auto v) {
  return concat<axis<0>>(v(x), zeros<2>(v));  // as wide as the network
};
inline constexpr auto gated_graph = [](auto v) { return nn::gated_graph{nn::gru{H3, of_state, d3}, G1, G2}(v, v(x)); };
inline constexpr auto dygr = [](auto v) {
  const nn::gated_graph network{nn::gru{H3, of_state, d3}, G1, G2};
  const auto s = nn::dygr_encoder{network, nn::lstm{K4, S, d}}(nn::weighted(v, w), v(h), v(h), v(c));
  return outputs(s.h, s.c);
};
inline void compare_gated_graphs(peer& p) {
  const auto g = pyg::gated_graph(p.file, "gated_graph");
  p.difference("gated_graph", compile<gated_graph>()(p.graph, x = p.x, H3 = g.cell.I, S3 = g.cell.S, d3 = g.cell.bias,
                                                     e3 = g.cell.b_state, G1 = g.W.at(0), G2 = g.W.at(1)));
  const auto of = pyg::dygr_encoder(p.file, "dygr_encoder");
  const auto& cell = of.gated_graph.cell;
  const auto [h1, c1] = compile<dygr>()(p.graph, w = p.w, h = p.h, c = p.c, H3 = cell.I, S3 = cell.S, d3 = cell.bias,
                                        e3 = cell.b_state, G1 = of.gated_graph.W.at(0), G2 = of.gated_graph.W.at(1),
                                        K4 = of.lstm.I, S = of.lstm.S, d = of.lstm.bias);
  p.difference("dygr_encoder", h1, c1);
}

inline constexpr auto W1 = parameter<"W1", 4, 6>;
inline constexpr auto b1 = parameter<"b1", 6>;
inline constexpr auto W2 = parameter<"W2", 6, 6>;
inline constexpr auto b2 = parameter<"b2", 6>;
inline constexpr auto gain1 = parameter<"gain1", 6>;
inline constexpr auto bias1 = parameter<"bias1", 6>;
inline constexpr auto mean1 = parameter<"mean1", 6>;
inline constexpr auto variance1 = parameter<"variance1", 6>;
inline constexpr auto gain2 = parameter<"gain2", 6>;
inline constexpr auto bias2 = parameter<"bias2", 6>;
inline constexpr auto mean2 = parameter<"mean2", 6>;
inline constexpr auto variance2 = parameter<"variance2", 6>;
inline constexpr auto L4 = parameter<"L4", 12, 24>;
inline constexpr auto e4 = parameter<"e4", 24>;
inline constexpr auto mpnn = [](auto v) {
  const auto normed = [](auto y, auto gain, auto bias, auto mean, auto variance) {
    return gain * ((y - mean) * rsqrt(variance + 1e-5)) + bias;  // of what ran before: a plain call
  };
  const auto first = [normed](auto at, auto y) {
    return normed(relu(nn::gcn_conv(at, y, W1) + b1), gain1, bias1, mean1, at(variance1));
  };
  const auto second = [normed](auto at, auto y) {
    return normed(relu(nn::gcn_conv(at, y, W2) + b2), gain2, bias2, mean2, at(variance2));
  };
  const auto s = nn::mpnn_lstm{first, second, nn::lstm{L4, S, d}, nn::lstm{K4, R, e4}}(
      v, v(x), zeros<6>(v), zeros<6>(v), zeros<6>(v), zeros<6>(v));
  return concat<axis<0>>(s.h1, s.h2);
};
inline void compare_mpnn(peer& p) {
  const auto of = pyg::mpnn_lstm(p.file, "mpnn_lstm");
  p.difference("mpnn_lstm",
               compile<mpnn>()(p.looped, x = p.x, W1 = of.conv1.W, b1 = of.conv1.bias, W2 = of.conv2.W,
                               b2 = of.conv2.bias, gain1 = of.norm1.gain, bias1 = of.norm1.bias, mean1 = of.norm1.mean,
                               variance1 = of.norm1.variance, gain2 = of.norm2.gain, bias2 = of.norm2.bias,
                               mean2 = of.norm2.mean, variance2 = of.norm2.variance, L4 = of.lstm1.I, S = of.lstm1.S,
                               d = of.lstm1.bias, K4 = of.lstm2.I, R = of.lstm2.S, e4 = of.lstm2.bias));
}

}  // namespace stg::test::cells
