// Epochs of a two-layer graph convolutional network, as examples/01_gcn.cpp writes it.
#include "epoch.hpp"  // epoch_work

namespace peers {
namespace {

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto words = stg::sparse_feature<"x", stg::extent<"F">>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
template <int H> inline constexpr auto W1 = stg::parameter<"W1", stg::extent<"F">, H>;
template <int H> inline constexpr auto b1 = stg::parameter<"b1", H>;
template <int H> inline constexpr auto W2 = stg::parameter<"W2", H, stg::extent<"C">>;
inline constexpr auto b2 = stg::parameter<"b2", stg::extent<"C">>;

// Made graphs have as many features as the hidden layer, a number that is known; with it the compiler sees that
// aggregating before W1 costs the same forward and nothing backward.
template <int H> inline constexpr auto made_x = stg::vertex_feature<"x", H>;
template <int H> inline constexpr auto made_W1 = stg::parameter<"W1", H, H>;
template <int H>
inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(made_x<H>), made_W1<H>) + b1<H>);  // (H)
  return stg::nn::gcn_conv(v, h, W2<H>) + b2;                             // (C)
};
template <int H, const auto& Features>
inline constexpr auto gcn_dropout = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, dropout(v(Features), 0.5), W1<H>) + b1<H>);
  return stg::nn::gcn_conv(v, dropout(h, 0.5), W2<H>) + b2;
};
template <const auto& Model>
inline constexpr auto loss = [](auto v) { return cross_entropy(Model(v), v(label), v(known)); };

/// `features(vertices)` binds the features, in which the ways of doing this differ; `make(vertices)` makes parameters.
template <const auto& Model, class Features, class Make>
std::unique_ptr<work> make_model(const inputs& in, vertices of, Features features, Make make) {
  auto data = std::make_shared<vertices>(std::move(of));
  auto bind = [graph = in.graph, data, features](auto call) {
    return call(graph, features(*data), label = data->label, known = data->known);
  };
  auto inference = [graph = in.graph, data, features](auto call) { return call(graph, features(*data)); };
  return std::make_unique<epoch_work<loss<Model>, Model, decltype(make), decltype(bind), decltype(inference)>>(
      in, *data, make, bind, inference);
}
constexpr auto plain = [](const vertices& data) { return x = data.x; };
constexpr auto sparse = [](const vertices& data) { return words = data.words; };

}  // namespace

std::unique_ptr<work> make_gcn(const case_name& which, const inputs& in, const std::string& variant) {
  if (which.graph == "cora" && variant == "sparse")
    return make_model<gcn_dropout<16, words>>(in, vertices_of(which, in, 0), sparse,
                                              &parameters_of<loss<gcn_dropout<16, words>>>);
  if (which.graph == "cora")
    return make_model<gcn_dropout<16, x>>(in, vertices_of(which, in, 0), plain,
                                          &parameters_of<loss<gcn_dropout<16, x>>>);
  const auto made = [&]<int H>(std::integral_constant<int, H>) {
    vertices of = vertices_of(which, in, H);
    const auto as_fixed = [](const vertices& data) { return made_x<H> = stg::fixed(data.x); };
    const auto as_bound = [](const vertices& data) { return made_x<H> = data.x; };
    const auto make = &parameters_of_classes<loss<gcn<H>>>;
    return variant == "fixed" ? make_model<gcn<H>>(in, std::move(of), as_fixed, make)
                              : make_model<gcn<H>>(in, std::move(of), as_bound, make);
  };
  if (which.size == "128") return made(std::integral_constant<int, 128>());
  if (which.size == "64") return made(std::integral_constant<int, 64>());
  return nullptr;
}

}  // namespace peers
