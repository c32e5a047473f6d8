// Epochs of a two-layer graph attention network, eight heads of eight and then one, as examples/02_gat.cpp writes it.
#include "epoch.hpp"  // epoch_work

namespace peers {
namespace {

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto words = stg::sparse_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, 64>;
inline constexpr auto a_src1 = stg::parameter<"a_src1", 8, 8>;
inline constexpr auto a_dst1 = stg::parameter<"a_dst1", 8, 8>;
inline constexpr auto b1 = stg::parameter<"b1", 64>;
inline constexpr auto W2 = stg::parameter<"W2", 64, stg::extent<"C">>;
inline constexpr auto a_src2 = stg::parameter<"a_src2", 1, stg::extent<"C">>;
inline constexpr auto a_dst2 = stg::parameter<"a_dst2", 1, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

inline constexpr auto gat = [](auto v) {
  auto heads = stg::nn::gat_conv(v, v(x), W1, a_src1, a_dst1);  // (8, 8)
  auto h = elu(stg::reshape<64>(heads) + b1);                   // (64)
  auto out = stg::nn::gat_conv(v, h, W2, a_src2, a_dst2);       // (1, C)
  return mean(out, stg::axis<0>) + b2;                          // (C)
};
template <const auto& Features>
inline constexpr auto gat_dropout = [](auto v) {
  auto heads = stg::nn::gat_conv(v, dropout(v(Features), 0.6), W1, a_src1, a_dst1, 0.6);
  auto h = elu(stg::reshape<64>(heads) + b1);
  auto out = stg::nn::gat_conv(v, dropout(h, 0.6), W2, a_src2, a_dst2, 0.6);
  return mean(out, stg::axis<0>) + b2;
};
template <const auto& Model>
inline constexpr auto loss = [](auto v) { return cross_entropy(Model(v), v(label), v(known)); };

/// `features(vertices)` binds the features, which is all in which the ways of doing this differ.
template <const auto& Model, class Features>
std::unique_ptr<work> make_model(const inputs& in, vertices of, Features features) {
  auto data = std::make_shared<vertices>(std::move(of));
  auto bind = [graph = in.graph, data, features](auto call) {
    return call(graph, features(*data), label = data->label, known = data->known);
  };
  auto inference = [graph = in.graph, data, features](auto call) { return call(graph, features(*data)); };
  const auto make = &parameters_of<loss<Model>>;
  return std::make_unique<epoch_work<loss<Model>, Model, decltype(make), decltype(bind), decltype(inference)>>(
      in, *data, make, bind, inference);
}
constexpr auto plain = [](const vertices& data) { return x = data.x; };
constexpr auto constant = [](const vertices& data) { return x = stg::fixed(data.x); };
constexpr auto sparse = [](const vertices& data) { return words = data.words; };

}  // namespace

std::unique_ptr<work> make_gat(const case_name& which, const inputs& in, const std::string& variant) {
  vertices of = vertices_of(which, in, which.graph == "arxiv_like" ? 128 : 64);
  if (which.graph == "cora" && variant == "sparse") return make_model<gat_dropout<words>>(in, std::move(of), sparse);
  if (which.graph == "cora") return make_model<gat_dropout<x>>(in, std::move(of), plain);
  if (variant == "fixed") return make_model<gat>(in, std::move(of), constant);
  return make_model<gat>(in, std::move(of), plain);
}

}  // namespace peers
