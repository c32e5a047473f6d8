// The networks whose kernels the library holds, as papers and tutorials write them: two layers, dropout before or
// between them, cross entropy over the vertices whose class is known. A user's program shares with them what it does
// alike, whatever its names: aggregates of rows, what is done to them at once, losses, and their gradients.
//
// They are few, since each kernel is compiled for every instruction set: features and classes are counted by a call,
// hidden layers too, or they have the width that most papers give them.
#pragma once

#include "group.hpp"  // group

namespace stg::kernels {

inline constexpr auto x = vertex_feature<"x", extent<"F">>;
inline constexpr auto label = vertex_feature<"label", i32>;
inline constexpr auto known = vertex_feature<"known", boolean>;

/// Kipf and Welling, ICLR 2017.
template <auto H> struct gcn {
  static constexpr auto W1 = parameter<"W1", extent<"F">, H>;
  static constexpr auto b1 = parameter<"b1", H>;
  static constexpr auto W2 = parameter<"W2", H, extent<"C">>;
  static constexpr auto b2 = parameter<"b2", extent<"C">>;
  static constexpr auto model = [](auto v) {
    auto h = relu(nn::gcn_conv(v, dropout(v(x), 0.5), W1) + b1);
    return nn::gcn_conv(v, dropout(h, 0.5), W2) + b2;
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

/// Hamilton, Ying and Leskovec, NeurIPS 2017.
template <auto H> struct sage {
  static constexpr auto W1 = parameter<"W1", extent<"F">, H>;
  static constexpr auto R1 = parameter<"R1", extent<"F">, H>;
  static constexpr auto b1 = parameter<"b1", H>;
  static constexpr auto W2 = parameter<"W2", H, extent<"C">>;
  static constexpr auto R2 = parameter<"R2", H, extent<"C">>;
  static constexpr auto b2 = parameter<"b2", extent<"C">>;
  static constexpr auto model = [](auto v) {
    auto h = dropout(relu(nn::sage_conv(v, v(x), W1, R1) + b1), 0.5);
    return nn::sage_conv(v, h, W2, R2) + b2;
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

/// The same layers by hand, means first, and a linear layer on top, as hidden layers of a known width are written.
template <int H> struct sage_with_head {
  static constexpr auto W1 = parameter<"W1", extent<"F">, H>;
  static constexpr auto R1 = parameter<"R1", extent<"F">, H>;
  static constexpr auto b1 = parameter<"b1", H>;
  static constexpr auto W2 = parameter<"W2", H, H>;
  static constexpr auto R2 = parameter<"R2", H, H>;
  static constexpr auto b2 = parameter<"b2", H>;
  static constexpr auto W3 = parameter<"W3", H, extent<"C">>;
  static constexpr auto layer = [](auto v, auto h, auto W, auto R, auto b) {
    return relu(matmul(mean(v.in_edges().src(h)), W) + matmul(h, R) + b);
  };
  static constexpr auto model = [](auto v) {
    auto h = dropout(layer(v, v(x), W1, R1, b1), 0.5);
    return matmul(layer(v, h, W2, R2, b2), W3);
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

/// Veličković et al., ICLR 2018: 8 heads of 8, then one.
struct gat {
  static constexpr auto W1 = parameter<"W1", extent<"F">, 64>;
  static constexpr auto a_src1 = parameter<"a_src1", 8, 8>;
  static constexpr auto a_dst1 = parameter<"a_dst1", 8, 8>;
  static constexpr auto b1 = parameter<"b1", 64>;
  static constexpr auto W2 = parameter<"W2", 64, extent<"C">>;
  static constexpr auto a_src2 = parameter<"a_src2", 1, extent<"C">>;
  static constexpr auto a_dst2 = parameter<"a_dst2", 1, extent<"C">>;
  static constexpr auto b2 = parameter<"b2", extent<"C">>;
  static constexpr auto model = [](auto v) {
    auto heads = nn::gat_conv(v, dropout(v(x), 0.6), W1, a_src1, a_dst1, 0.6);
    auto h = elu(reshape<64>(heads) + b1);
    auto out = nn::gat_conv(v, dropout(h, 0.6), W2, a_src2, a_dst2, 0.6);
    return mean(out, axis<0>) + b2;
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

using gcns = group<plain<gcn<extent<"H">>::model>, trained<gcn<extent<"H">>::loss>, plain<gcn<16>::model>,
                   trained<gcn<16>::loss>>;
using sages =
    group<plain<sage<extent<"H">>::model>, trained<sage<extent<"H">>::loss>, plain<sage_with_head<16>::model>,
          trained<sage_with_head<16>::loss>, plain<sage_with_head<32>::model>, trained<sage_with_head<32>::loss>,
          plain<sage_with_head<64>::model>, trained<sage_with_head<64>::loss>>;
using gats = group<plain<gat::model>, trained<gat::loss>>;

}  // namespace stg::kernels
