// The programs that tests of doors have in common: attention, edge values in and out, vertex sets, a scan over graphs
// that change, a loss.
#pragma once

#include <stg/stg.hpp>  // the language

namespace stg_test {

inline constexpr auto h = stg::vertex_feature<"h", 8, 16>;
inline constexpr auto el = stg::vertex_feature<"el", 8, 1>;
inline constexpr auto er = stg::vertex_feature<"er", 8, 1>;
inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

inline constexpr auto h64 = stg::vertex_feature<"h", stg::f64, 2, 3>;
inline constexpr auto el64 = stg::vertex_feature<"el", stg::f64, 2, 1>;
inline constexpr auto er64 = stg::vertex_feature<"er", stg::f64, 2, 1>;
inline constexpr auto attention_f64 = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el64) + v(er64), 0.2)) * e.src(h64));
};

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto eps = stg::scalar<"eps">;
inline constexpr auto y = stg::vertex_feature<"y", stg::extent<"F">>;
inline constexpr auto message = stg::edge_feature<"message", stg::extent<"F">>;
inline constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  return stg::outputs(y = (1 + eps) * v(x) + sum(e(w) * e.src(x)), message = e(w) * e.src(x));
};

inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W = stg::parameter<"W", stg::extent<"F">, 3>;
inline constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(matmul(dropout(mean(e.src(x)), 0.5), W), v(label));
};

inline constexpr auto words = stg::sparse_feature<"words", stg::extent<"V">>;
inline constexpr auto table = stg::parameter<"table", stg::extent<"V">, 2>;
inline constexpr auto looked_up = [](auto v) { return sum(v.in_edges().src(matmul(v(words), table))); };

inline constexpr auto author = stg::vertex_set<"author">;
inline constexpr auto paper = stg::vertex_set<"paper">;
inline constexpr auto writes = stg::relation<"writes", author, paper>;
inline constexpr auto known = author.feature<"known", 4>;
inline constexpr auto share = writes.feature<"share">;
inline constexpr auto of_papers = [](auto g) {
  auto by = g(paper).in_edges(writes);
  return sum(by(share) * by.src(known));
};

inline constexpr auto seen = stg::over<"T">(stg::vertex_feature<"seen", 4>);
inline constexpr auto summed = [](auto v) {
  return stg::scan<"T">(
      v, [](auto v, auto state) { return state + sum(v.in_edges().src(seen)); }, stg::zeros<4>(v));
};

}  // namespace stg_test
