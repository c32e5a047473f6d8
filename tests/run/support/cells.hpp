// Every cell of stg::nn in a scan over "T", with edge weights: its last state, and a value for each step where it gives
// one. One table for the tests that interpret cells, compare them with a dense reference, and compile them.
//
// Every real input is f64, and trainable where a gradient exists. "positive…" is bound to numbers above 0.
#pragma once

#include <stg/stg.hpp>  // scan, the cells

#include <string_view>  // string_view

namespace stg::cells {

inline constexpr auto x = trainable(over<"T">(vertex_feature<"x", f64, 3>));
inline constexpr auto h0 = trainable(vertex_feature<"h0", f64, 2>);
inline constexpr auto c0 = trainable(vertex_feature<"c0", f64, 2>);
inline constexpr auto w = trainable(edge_feature<"positive_w", f64>);
inline constexpr auto w_of_step = trainable(over<"T">(edge_feature<"positive_w_of_step", f64>));
inline constexpr auto relation = over<"T">(edge_feature<"relation", i32>);

/// Parameters, by their shapes: of x (3) and of the state (2), for so many gates of 2.
template <fixed_string Name> inline constexpr auto from_x = parameter<Name, f64, 3, 2>;
template <fixed_string Name> inline constexpr auto from_x_3 = parameter<Name, f64, 3, 6>;
template <fixed_string Name> inline constexpr auto from_x_4 = parameter<Name, f64, 3, 8>;
template <fixed_string Name> inline constexpr auto from_h = parameter<Name, f64, 2, 2>;
template <fixed_string Name> inline constexpr auto from_h_2 = parameter<Name, f64, 2, 4>;
template <fixed_string Name> inline constexpr auto from_h_3 = parameter<Name, f64, 2, 6>;
template <fixed_string Name> inline constexpr auto from_h_4 = parameter<Name, f64, 2, 8>;
inline constexpr auto b3 = parameter<"b3", f64, 6>;
inline constexpr auto b4 = parameter<"b4", f64, 8>;
inline constexpr auto d4 = parameter<"d4", f64, 8>;

/// The vertex of a step, with edge weights or without.
template <bool Weighted> constexpr auto seen_by_cell(vertex_view v) {
  if constexpr (Weighted) return nn::weighted(v, w);
  else return v;
}
/// A cell whose state is h, and one whose state is h and c, over T steps.
template <bool Weighted = true, class Cell> constexpr auto with_h(vertex_view v, Cell cell) {
  return scan<"T">(
      v, [=](auto v, auto h) { return cell(seen_by_cell<Weighted>(v), v(x), h); }, v(h0));
}
template <bool Weighted = true, class Cell> constexpr auto with_h_and_c(vertex_view v, Cell cell) {
  auto [h, c, all] = scan<"T">(
      v,
      [=](auto v, auto h, auto c) {
        auto s = cell(seen_by_cell<Weighted>(v), v(x), h, c);
        return next(s).gives(s.h);
      },
      v(h0), v(c0));
  return outputs(h, c, all);
}

// ---- a vertex by itself ----

inline constexpr auto gru = [](auto v) { return with_h<false>(v, nn::gru{from_x_3<"W">, from_h_3<"U">, b3}); };
inline constexpr auto gru_of_two_biases = [](auto v) {
  auto fed_back = [](auto h) { return linear(h, from_h_3<"U">, parameter<"c3", f64, 6>); };
  return with_h<false>(v, nn::gru{from_x_3<"W">, fed_back, b3});
};
inline constexpr auto lstm = [](auto v) { return with_h_and_c<false>(v, nn::lstm{from_x_4<"W">, from_h_4<"U">, b4}); };

// ---- behind a convolution ----

inline constexpr auto a_tgcn = nn::tgcn{from_x<"W">, from_h_3<"I">, from_h_2<"U">, from_h<"C">, b3};
inline constexpr auto tgcn = [](auto v) { return with_h(v, a_tgcn); };
inline constexpr auto tgcn_of_two_convolutions = [](auto v) {
  auto seen = [](auto v, auto y) {
    return sigmoid(nn::gcn_conv(v, stg::tanh(nn::gcn_conv(v, y, from_x<"W">)), from_h<"W2">));
  };
  return with_h(v, nn::tgcn{seen, from_h_3<"I">, from_h_2<"U">, from_h<"C">, b3});
};
inline constexpr auto a3tgcn = [](auto v) {
  return nn::a3tgcn{a_tgcn, parameter<"score", f64, 2, 1>}(nn::weighted(v, w), x, v(h0));
};
inline constexpr auto a3tgcn_of_results = [](auto v) {
  auto before = scan<"T">(v, [](auto v) { return stg::tanh(v(x)); });
  return nn::a3tgcn{a_tgcn, [](auto h) { return 2.0 * h; }}(v, before, v(h0));
};

// ---- of convolutions ----

inline constexpr auto gconv_gru = [](auto v) {
  return with_h(
      v, nn::gconv_gru{nn::chebyshev{from_x_3<"W0">, from_x_3<"W1">}, nn::chebyshev{from_h_2<"U0">, from_h_2<"U1">},
                       nn::chebyshev{from_h<"C0">, from_h<"C1">, from_h<"C2">}, b3});
};
inline constexpr auto dcrnn = [](auto v) {
  nn::dcrnn cell{nn::diffusion{from_x_3<"W0">, from_x_3<"F1">, from_x_3<"B1">, from_x_3<"F2">, from_x_3<"B2">},
                 nn::diffusion{from_h_2<"U0">, from_h_2<"G1">, from_h_2<"D1">},
                 nn::diffusion{from_h<"C0">, from_h<"E1">, from_h<"K1">}, b3};
  return scan<"T">(
      v, [=](auto v, auto h) { return cell(nn::weighted(v, w_of_step), v(x), h); }, v(h0));
};
inline constexpr auto dcrnn_unweighted = [](auto v) {
  return with_h<false>(v, nn::dcrnn{nn::diffusion{from_x_3<"W0">, from_x_3<"F1">, from_x_3<"B1">}, from_h_2<"U0">,
                                    nn::diffusion{from_h<"C0">, from_h<"E1">, from_h<"K1">}, b3});
};
inline constexpr auto gconv_lstm = [](auto v) {
  return with_h_and_c(v, nn::gconv_lstm{nn::chebyshev{from_x_4<"W0">, from_x_4<"W1">, from_x_4<"W2">},
                                        nn::chebyshev{from_h_4<"U0">, from_h_4<"U1">}, parameter<"p", f64, 3, 2>, b4});
};
inline constexpr auto gc_lstm = [](auto v) {
  return with_h_and_c(v, nn::gc_lstm{from_x_4<"W">, nn::chebyshev{from_h_4<"U0">, from_h_4<"U1">},
                                     nn::chebyshev{from_h<"K0">, from_h<"K1">}, b4});
};
inline constexpr auto gc_lstm_of_one = [](auto v) {
  return with_h_and_c(
      v, nn::gc_lstm{from_x_4<"W">, nn::chebyshev{from_h_4<"U0">, from_h_4<"U1">}, [](auto, auto c) { return c; }, b4});
};
inline constexpr auto lrgcn = [](auto v) {
  return with_h_and_c<false>(
      v, nn::lrgcn{
             nn::relational{relation, from_x_4<"W">, parameter<"V", f64, 2, 3, 8>, parameter<"mixture", f64, 5, 2>},
             nn::relational{relation, from_h_4<"U">, parameter<"S", f64, 2, 2, 8>, parameter<"blend", f64, 5, 2>}, b4});
};

// ---- of evolving weights ----

inline constexpr auto W0 = parameter<"W0", f64, 3, 2>;
inline constexpr auto evolve_gcn_o = [](auto v) {
  nn::evolve_gcn_o cell{parameter<"U", f64, 12, 3>, parameter<"B", f64, 12, 2>};
  auto [weights, memory, y] = scan<"T">(
      v,
      [=](auto v, auto weights, auto memory) {
        auto s = cell(nn::weighted(v, w), v(x), weights, memory);
        return next(s).gives(s.y);
      },
      v(W0), v(parameter<"C0", f64, 3, 2>));
  return outputs(weights, memory, y);
};
inline constexpr auto evolve_gcn_h = [](auto v) {
  nn::evolve_gcn_h cell{parameter<"p", f64, 3>, parameter<"U", f64, 9, 3>, parameter<"V", f64, 6, 3>,
                        parameter<"N", f64, 3, 3>, parameter<"B", f64, 9, 2>};
  auto [weights, y] = scan<"T">(
      v,
      [=](auto v, auto weights) {
        auto s = cell(nn::weighted(v, w), v(x), weights);
        return next(s).gives(s.y);
      },
      v(W0));
  return outputs(weights, y);
};

// ---- of networks ----

inline constexpr auto dygr_encoder = [](auto v) {
  constexpr auto hidden = nn::gru{parameter<"M", f64, 4, 12>, parameter<"G", f64, 4, 12>, parameter<"b12", f64, 12>};
  constexpr auto graph = nn::gated_graph{hidden, parameter<"W1", f64, 4, 4>, parameter<"W2", f64, 4, 4>};
  return with_h_and_c(v, nn::dygr_encoder{graph, nn::lstm{parameter<"I", f64, 4, 8>, from_h_4<"U">, b4}});
};
inline constexpr auto mpnn_lstm = [](auto v) {
  nn::mpnn_lstm cell{from_x<"W1">, parameter<"W2", f64, 2, 3>, nn::lstm{parameter<"I", f64, 5, 8>, from_h_4<"U">, b4},
                     nn::lstm{from_h_4<"J">, from_h_4<"R">, d4}};
  auto [h1, c1, h2, c2] = scan<"T">(
      v,
      [=](auto v, auto h1, auto c1, auto h2, auto c2) { return next(cell(nn::weighted(v, w), v(x), h1, c1, h2, c2)); },
      v(h0), v(c0), v(c0), v(h0));
  return outputs(h1, c1, h2, c2);
};
inline constexpr auto st_conv = [](auto v) {
  nn::st_conv cell{parameter<"W", f64, 6, 4>, nn::chebyshev{parameter<"C0", f64, 2, 3>, parameter<"C1", f64, 2, 3>},
                   [](auto y) { return linear(y, parameter<"A", f64, 6, 4>, parameter<"a", f64, 4>); }};
  auto [inputs, hidden, y] = scan<"T">(
      v,
      [=](auto v, auto inputs, auto hidden) {
        auto s = cell(nn::weighted(v, w), v(x), inputs, hidden);
        return next(s).gives(s.y);
      },
      v(vertex_feature<"past_x", f64, 3>), zeros<f64, 3>(v));
  return outputs(inputs, hidden, y);
};

/// One cell: its program as a lambda at namespace scope, which is what compile<…>() takes.
template <const auto& Program> struct cell {
  std::string_view name;
  static constexpr const auto& program = Program;
};

/// Calls f(cell<lambda>{name}) for every cell.
template <class F> void for_each_cell(F&& f) {
#define STG_CELL(word) f(cell<word>{#word});
  STG_CELL(gru)
  STG_CELL(gru_of_two_biases)
  STG_CELL(lstm)
  STG_CELL(tgcn)
  STG_CELL(tgcn_of_two_convolutions)
  STG_CELL(a3tgcn)
  STG_CELL(a3tgcn_of_results)
  STG_CELL(gconv_gru)
  STG_CELL(dcrnn)
  STG_CELL(dcrnn_unweighted)
  STG_CELL(gconv_lstm)
  STG_CELL(gc_lstm)
  STG_CELL(gc_lstm_of_one)
  STG_CELL(lrgcn)
  STG_CELL(evolve_gcn_o)
  STG_CELL(evolve_gcn_h)
  STG_CELL(dygr_encoder)
  STG_CELL(mpnn_lstm)
  STG_CELL(st_conv)
#undef STG_CELL
}

}  // namespace stg::cells
