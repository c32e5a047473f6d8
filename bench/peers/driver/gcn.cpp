// Epochs of a two-layer graph convolutional network, as examples/01_gcn.cpp writes it.
#include "epoch.hpp"  // epoch_work

namespace peers {
namespace {

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
template <int H> inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, H>;
template <int H> inline constexpr auto b1 = stg::parameter<"b1", H>;
template <int H> inline constexpr auto W2 = stg::parameter<"W2", H, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

template <int H>
inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(x), W1<H>) + b1<H>);  // (H)
  return stg::nn::gcn_conv(v, h, W2<H>) + b2;                // (C)
};
template <int H>
inline constexpr auto gcn_dropout = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, dropout(v(x), 0.5), W1<H>) + b1<H>);
  return stg::nn::gcn_conv(v, dropout(h, 0.5), W2<H>) + b2;
};
template <const auto& Model>
inline constexpr auto loss = [](auto v) { return cross_entropy(Model(v), v(label), v(known)); };

template <const auto& Model> std::unique_ptr<work> make_model(const case_name& which, const inputs& in, int width) {
  auto data = std::make_shared<vertices>(vertices_of(which, in, width));
  auto bind = [graph = in.graph, data](auto call) {
    return call(graph, x = data->x, label = data->label, known = data->known);
  };
  auto inference = [graph = in.graph, data](auto call) { return call(graph, x = data->x); };
  return std::make_unique<epoch_work<loss<Model>, Model, decltype(bind), decltype(inference)>>(in, *data, bind,
                                                                                               inference);
}

}  // namespace

std::unique_ptr<work> make_gcn(const case_name& which, const inputs& in) {
  if (which.graph == "cora") return make_model<gcn_dropout<16>>(which, in, 0);
  if (which.size == "128") return make_model<gcn<128>>(which, in, 128);
  if (which.size == "64") return make_model<gcn<64>>(which, in, 64);
  return nullptr;
}

}  // namespace peers
