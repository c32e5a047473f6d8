// The layers that are measured and are not in ../layers.hpp, as a user writes them.
#pragma once

#include <stg/stg.hpp>  // the language

namespace device_bench {

/// A graph convolution after its dense product: the sum normalised on both sides, bias, ReLU.
template <int Width> struct normalised_of {
  static constexpr auto x = stg::vertex_feature<"x", Width>;
  static constexpr auto c = stg::vertex_feature<"c">;  // 1 / √degree
  static constexpr auto b = stg::parameter<"b", Width>;

  static constexpr auto layer = [](auto v) {
    auto e = v.in_edges();
    return relu(v(c) * sum(e.src(c) * e.src(x)) + b);
  };
};

/// A graph attention layer as wide behind as before, dense product included.
template <int Heads, int Dim> struct gat_of {
  static constexpr auto x = stg::trainable(stg::vertex_feature<"x", Heads * Dim>);
  static constexpr auto W = stg::parameter<"W", Heads * Dim, Heads * Dim>;
  static constexpr auto a_src = stg::parameter<"a_src", Heads, Dim>;
  static constexpr auto a_dst = stg::parameter<"a_dst", Heads, Dim>;

  static constexpr auto layer = [](auto v) { return stg::nn::gat_conv(v, v(x), W, a_src, a_dst); };
};

}  // namespace device_bench
