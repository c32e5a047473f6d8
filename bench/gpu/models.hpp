// The two networks that are trained on Cora, as examples/ writes them, and what they are trained on.
#pragma once

#include <stg/stg.hpp>  // the language

namespace device_bench {

inline constexpr auto words = stg::sparse_feature<"x", stg::extent<"F">>;  // few are not 0
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;  // whose label the loss may see
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

/// Kipf and Welling, ICLR 2017.
struct gcn {
  static constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 16>;
  static constexpr auto b1 = stg::parameter<"b1", 16>;
  static constexpr auto W2 = stg::parameter<"W2", 16, stg::extent<"C">>;

  static constexpr auto model = [](auto v) {
    auto h = relu(stg::nn::gcn_conv(v, dropout(v(words), 0.5), W1) + b1);  // (16)
    return stg::nn::gcn_conv(v, dropout(h, 0.5), W2) + b2;                 // (C)
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

/// Veličković et al., ICLR 2018.
struct gat {
  static constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 64>;
  static constexpr auto a_src1 = stg::parameter<"a_src1", 8, 8>;
  static constexpr auto a_dst1 = stg::parameter<"a_dst1", 8, 8>;
  static constexpr auto b1 = stg::parameter<"b1", 64>;
  static constexpr auto W2 = stg::parameter<"W2", 64, stg::extent<"C">>;
  static constexpr auto a_src2 = stg::parameter<"a_src2", 1, stg::extent<"C">>;
  static constexpr auto a_dst2 = stg::parameter<"a_dst2", 1, stg::extent<"C">>;

  static constexpr auto model = [](auto v) {
    auto heads = stg::nn::gat_conv(v, dropout(v(words), 0.6), W1, a_src1, a_dst1, 0.6);  // (8, 8)
    auto h = elu(stg::reshape<64>(heads) + b1);                                          // (64)
    auto out = stg::nn::gat_conv(v, dropout(h, 0.6), W2, a_src2, a_dst2, 0.6);           // (1, C)
    return mean(out, stg::axis<0>) + b2;                                                 // (C)
  };
  static constexpr auto loss = [](auto v) { return cross_entropy(model(v), v(label), v(known)); };
};

/// Cora, with a loop for every vertex and words in rows that sum to 1.
struct cora_data {
  stg::graph graph;
  stg::tensor<float> x;             // (vertices, F)
  stg::sparse_tensor<float> words;  // the same
  stg::tensor<std::int32_t> label;  // (vertices)
  stg::tensor<bool> known;          // (vertices)
  int classes = 0;
};

/// The parameters of a network, and its gradients. For each by itself: nvcc takes no member of a template's argument
/// here.
template <class Network> struct parameter_set;
template <> struct parameter_set<gcn> {
  using type = decltype(stg::parameters<gcn::loss>(stg::sized<"F">(1), stg::sized<"C">(1)));
};
template <> struct parameter_set<gat> {
  using type = decltype(stg::parameters<gat::loss>(stg::sized<"F">(1), stg::sized<"C">(1)));
};
template <class Network> using parameters_of = typename parameter_set<Network>::type;

/// A network's first step in training, and what inference gives before it, by the CPU's own kernels: what a device is
/// held against. Random numbers are those of a seed, so both drop the same.
template <class Network> struct first_step {
  float loss = 0;
  typename stg::detail::set_in_role<parameters_of<Network>, stg::as_gradients>::type gradients;
  stg::tensor<float> logits;
};
template <class Network>
first_step<Network> step_on_cpu(const cora_data& on, const parameters_of<Network>& parameters, std::uint64_t seed);

extern template first_step<gcn> step_on_cpu<gcn>(const cora_data&, const parameters_of<gcn>&, std::uint64_t);
extern template first_step<gat> step_on_cpu<gat>(const cora_data&, const parameters_of<gat>&, std::uint64_t);

}  // namespace device_bench
