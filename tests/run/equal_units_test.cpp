// Layers that are alike share kernels, give what they should, and are told from those that are nearly alike.
#include "support/backend_check.hpp"  // check_sample

#include <stg/codegen/cpu/equal_units.hpp>  // units_of
#include <stg/nn/conv.hpp>                  // gcn_conv, gat_conv

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 8>);
constexpr auto w = edge_feature<"w", f64, 8>;

/// Parameters of layer K.
template <int K> constexpr fixed_string<3> numbered(char letter) {
  const char name[3] = {letter, static_cast<char>('0' + K), 0};
  return fixed_string<3>(name);
}
template <int K> inline constexpr auto W = parameter<numbered<K>('W'), f64, 8, 8>;
template <int K> inline constexpr auto b = parameter<numbered<K>('b'), f64, 8>;
template <int K> inline constexpr auto from = parameter<numbered<K>('s'), f64, 2, 4>;
template <int K> inline constexpr auto to = parameter<numbered<K>('d'), f64, 2, 4>;

/// `Layers` layers, the K-th of which is Layer::of<K>(v, h).
template <class Layer, int Layers, int K = 0> constexpr auto stacked(auto v, auto h) {
  if constexpr (K == Layers) return h;
  else return stacked<Layer, Layers, K + 1>(v, Layer::template of<K>(v, h));
}
template <class Layer, int Layers> inline constexpr auto stack = [](auto v) { return stacked<Layer, Layers>(v, v(x)); };

struct convolution {
  template <int K> static constexpr auto of(auto v, auto h) { return stg::tanh(nn::gcn_conv(v, h, W<K>) + b<K>); }
};
struct attention {
  template <int K> static constexpr auto of(auto v, auto h) {
    return nn::layer_norm(h + stg::reshape<8>(nn::gat_conv(v, h, W<K>, from<K>, to<K>)));
  }
};
struct in_turns {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K % 2 == 0) return convolution::of<K>(v, h);
    else return attention::of<K>(v, h);
  }
};
struct gated {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto gate = sigmoid(nn::gcn_conv(v, h, W<0>) + b<0>);
    return gate * h + (1.0 - gate) * stg::tanh(sum(v.in_edges().src(h)));
  }
};
struct dense {
  template <int K> static constexpr auto of(auto, auto h) { return relu(matmul(h, W<K>) + b<K>); }
};
struct dropped {
  template <int K> static constexpr auto of(auto v, auto h) {
    return dropout(stg::tanh(sum(v.in_edges().src(h) * v.in_edges()(w))), 0.3);
  }
};

// Layers that differ in one thing alone, each a different one.
struct by_slope {
  template <int K> static constexpr auto of(auto v, auto h) {
    return sum(leaky_relu(v.in_edges().src(h) * v.in_edges()(w), 0.1 * (K % 3)));
  }
};
struct by_slice {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto theirs = v.in_edges().src(stg::slice<K % 3, K % 3 + 1>(h)) * stg::slice<K % 3 + 1, K % 3 + 2>(h);
    return stg::tanh(h + mean(theirs));
  }
};
struct by_side {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K % 2 == 0) return stg::tanh(sum(v.in_edges().src(h) * v.in_edges()(w)));
    else return stg::tanh(sum(v.out_edges().dst(h) * v.out_edges()(w)));
  }
};
struct by_order {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto theirs = v.in_edges().src(h);
    if constexpr (K % 2 == 0) return max(theirs * v.in_edges()(w) - h);
    else return max(h - theirs * v.in_edges()(w));
  }
};
struct by_operation {
  template <int K> static constexpr auto of(auto v, auto h) {
    auto messages = stg::tanh(v.in_edges().src(h) * v.in_edges()(w));
    if constexpr (K % 3 == 0) return sum(messages);
    else if constexpr (K % 3 == 1) return mean(messages);
    else return max(messages);
  }
};
/// The first reads its own row twice, the others another one beside it.
struct by_operand {
  template <int K> static constexpr auto of(auto v, auto h) {
    if constexpr (K == 0) return sum(v.in_edges().src(h) * h) + 0.0 * h;
    else return sum(v.in_edges().src(h) * v(x)) + 0.0 * h;
  }
};

template <const auto& F> using training = differentiated<ref<F>, provided<0>, required<>>;

/// Units that have kernels of their own. Products and reductions are the library's.
template <class P> constexpr int kernels() {
  int n = 0;
  for (int u = 0; u < P::plan.unit_count; ++u) {
    const pass::unit_kind kind = P::plan.units[u].kind;
    const bool has_kernel = kind == pass::unit_kind::sweep || kind == pass::unit_kind::graph;
    n += has_kernel && cpu::detail::units_of<P>.first[u] == u;
  }
  return n;
}
template <class Layer> constexpr bool depth_is_free() {
  using few = training<stack<Layer, 5>>;
  using many = training<stack<Layer, 8>>;
  return kernels<executable<inferred<ref<stack<Layer, 8>>>>>() ==
             kernels<executable<inferred<ref<stack<Layer, 5>>>>>() &&
         kernels<executable<typename many::forward>>() == kernels<executable<typename few::forward>>() &&
         kernels<executable<typename many::gradient>>() == kernels<executable<typename few::gradient>>();
}
static_assert(depth_is_free<convolution>());
static_assert(depth_is_free<attention>());

template <class Layer, int Layers> void check(const char* name) {
  for (const test::family& f : test::families())
    test::check_sample<stack<Layer, Layers>>(name, f.graph, std::string(f.name));
}
TEST(equal_units, give_what_the_oracle_gives) {
  check<convolution, 5>("convolutions");
  check<attention, 4>("attention");
  check<in_turns, 5>("in turns");
  check<gated, 4>("gated");
  check<dense, 5>("dense");
  check<dropped, 3>("dropped");
}
TEST(equal_units, are_told_from_those_that_differ_in_one_thing) {
  check<by_slope, 5>("by slope");
  check<by_slice, 5>("by slice");
  check<by_side, 4>("by side");
  check<by_order, 4>("by order");
  check<by_operation, 5>("by operation");
  check<by_operand, 4>("by operand");
}

}  // namespace
}  // namespace stg
