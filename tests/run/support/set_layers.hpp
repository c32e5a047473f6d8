// Readouts along a relation and convolutions that weigh relations against each other, as programs over the graph of
// kinds.hpp: papers read what their authors have.
#pragma once

#include "kinds.hpp"  // author, paper, writes, small

#include <stg/nn/conv/heterogeneous.hpp>  // han_conv, hgt_conv
#include <stg/nn/readout.hpp>             // global_attention_pool, set2set

namespace stg::set_layers {

using kinds::author;
using kinds::paper;
using kinds::writes, kinds::cites, kinds::reviews;

inline constexpr auto x = trainable(author.feature<"x", f64, 3>);
inline constexpr auto y = trainable(paper.feature<"y", f64, 4>);
inline constexpr auto gate = parameter<"gate", f64, 3, 1>;
inline constexpr auto W = parameter<"W", f64, 3, 4>;
inline constexpr auto U = parameter<"U", f64, 4, 4>;
inline constexpr auto shift = parameter<"shift", f64, 3>;
inline constexpr auto cell = nn::lstm{parameter<"I", f64, 6, 12>, parameter<"S", f64, 3, 12>, parameter<"B", f64, 12>};
inline constexpr auto s1 = parameter<"s1", f64, 2, 2>;  // heads × dim
inline constexpr auto d1 = parameter<"d1", f64, 2, 2>;
inline constexpr auto s2 = parameter<"s2", f64, 2, 2>;
inline constexpr auto d2 = parameter<"d2", f64, 2, 2>;
inline constexpr auto H = parameter<"H", f64, 4, 3>;
inline constexpr auto h = parameter<"h", f64, 3>;
inline constexpr auto q = parameter<"q", f64, 3>;
inline constexpr auto Ka = parameter<"Ka", f64, 3, 4>;
inline constexpr auto Ma = parameter<"Ma", f64, 3, 4>;
inline constexpr auto Kp = parameter<"Kp", f64, 4, 4>;
inline constexpr auto Mp = parameter<"Mp", f64, 4, 4>;
inline constexpr auto Q = parameter<"Q", f64, 4, 4>;
inline constexpr auto A = parameter<"A", f64, 4, 4>;
inline constexpr auto skip = trainable(scalar<"skip", f64>);

inline constexpr auto attention_pool = [](auto g) {
  return nn::global_attention_pool(g(paper).in_edges(writes), g(author)(x), gate, W);
};
/// A score for each feature, against the arrows.
inline constexpr auto attention_pool_per_feature = [](auto g) {
  auto same = [](auto row) { return row; };
  return nn::global_attention_pool(
      g(author).out_edges(writes), g(paper)(y), [](auto row) { return matmul(row, U); }, same);
};
inline constexpr auto set2set = [](auto g) { return nn::set2set<3>(g(paper).in_edges(writes), g(author)(x), cell); };
inline constexpr auto set2set_of_authors = [](auto g) {
  return nn::set2set<2>(g(author).out_edges(reviews), matmul(g(paper)(y), H), cell);
};
inline constexpr auto han = [](auto g) {
  auto p = g(paper);
  auto with_bias = [](auto z) { return linear(z, H, h); };
  return nn::han_conv(with_bias, q, nn::attention_over(p.in_edges(writes), matmul(g(author)(x), W), p(y), s1, d1),
                      nn::attention_over(p.in_edges(cites), p(y), p(y), s2, d2));
};
inline constexpr auto han_of_one = [](auto g) {
  auto p = g(paper);
  return nn::han_conv(H, q, nn::attention_over(p.in_edges(cites), p(y), p(y), s2, d2));
};
/// Parameters of a relation.
template <fixed_string Att, fixed_string Msg, fixed_string Mu> struct of_relation {
  static constexpr auto att = parameter<Att, f64, 2, 2, 2>;
  static constexpr auto msg = parameter<Msg, f64, 2, 2, 2>;
  static constexpr auto mu = parameter<Mu, f64, 2>;
};
using writing = of_relation<"att1", "msg1", "mu1">;
using citing = of_relation<"att2", "msg2", "mu2">;
using reviewing = of_relation<"att3", "msg3", "mu3">;
inline constexpr auto hgt = [](auto g) {
  auto p = g(paper);
  auto a = g(author);
  return nn::hgt_conv(
      p(y), Q, A, skip, nn::hgt_relation{p.in_edges(writes), a(x), Ka, Ma, writing::att, writing::msg, writing::mu},
      nn::hgt_relation{p.in_edges(cites), p(y), Kp, Mp, citing::att, citing::msg, citing::mu},
      nn::hgt_relation{p.in_edges(reviews), a(x), Ka, Ma, reviewing::att, reviewing::msg, reviewing::mu});
};
/// One relation, and papers without any edge of it.
inline constexpr auto hgt_of_one = [](auto g) {
  auto p = g(paper);
  return nn::hgt_conv(
      p(y), Q, A, skip,
      nn::hgt_relation{p.in_edges(reviews), g(author)(x), Ka, Ma, writing::att, writing::msg, writing::mu});
};
/// More rows than most papers have authors, two that are equal among them; and no order where there is one row.
inline constexpr auto sort_pool = [](auto g) { return nn::sort_pool<3>(g(paper).in_edges(writes), g(author)(x)); };
inline constexpr auto sort_pool_of_one = [](auto g) {
  return nn::sort_pool<1>(g(author).out_edges(writes), matmul(g(paper)(y), U));
};
/// Convolutions along relations side by side.
inline constexpr auto side_by_side = [](auto g) {
  auto p = g(paper);
  return concat<axis<0>>(nn::sage_conv(p.in_edges(writes), g(author)(x), p(y), U, W), sum(p.in_edges(cites).src(p(y))));
};

/// Calls f(name, program lambda) of every layer.
template <const auto& Program> struct layer {
  const char* name;
  static constexpr const auto& program = Program;
};
template <class F> void for_each_layer(F&& f) {
#define STG_SET_LAYER(word) f(layer<word>{#word});
  STG_SET_LAYER(attention_pool)
  STG_SET_LAYER(attention_pool_per_feature)
  STG_SET_LAYER(set2set)
  STG_SET_LAYER(set2set_of_authors)
  STG_SET_LAYER(sort_pool)
  STG_SET_LAYER(sort_pool_of_one)
  STG_SET_LAYER(han)
  STG_SET_LAYER(han_of_one)
  STG_SET_LAYER(hgt)
  STG_SET_LAYER(hgt_of_one)
  STG_SET_LAYER(side_by_side)
#undef STG_SET_LAYER
}

}  // namespace stg::set_layers
