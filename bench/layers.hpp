// The layers that are measured, as a user writes them: one lambda each, widths and heads as template arguments.
#pragma once

#include <stg/stg.hpp>  // the language

namespace layers {

template <int Width> struct of_width {
  static constexpr auto x = stg::trainable(stg::vertex_feature<"x", Width>);
  static constexpr auto c = stg::vertex_feature<"c">;
  static constexpr auto w = stg::edge_feature<"w">;

  static constexpr auto weighted_sum = [](auto v) {
    auto e = v.in_edges();
    return sum(e.src(c) * e.src(x));
  };
  static constexpr auto edge_weighted_sum = [](auto v) {
    auto e = v.in_edges();
    return sum(e(w) * e.src(x));
  };
  static constexpr auto mean_of_neighbours = [](auto v) { return mean(v.in_edges().src(x)); };
  static constexpr auto max_of_neighbours = [](auto v) { return max(v.in_edges().src(x)); };
};

/// Features stored in two bytes a number; what is computed from them is f32.
template <stg::scalar_type Stored, int Width> struct stored_in {
  static constexpr auto x = stg::vertex_feature<"x", Stored, Width>;
  static constexpr auto w = stg::edge_feature<"w">;

  static constexpr auto edge_weighted_sum = [](auto v) {
    auto e = v.in_edges();
    return sum(e(w) * e.src(x));
  };
};

template <int Heads, int Dim> struct attention_of {
  static constexpr auto h = stg::trainable(stg::vertex_feature<"h", Heads, Dim>);
  static constexpr auto el = stg::trainable(stg::vertex_feature<"el", Heads, 1>);
  static constexpr auto er = stg::trainable(stg::vertex_feature<"er", Heads, 1>);

  static constexpr auto attention = [](auto v) {
    auto e = v.in_edges();
    return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
  };
};

}  // namespace layers
