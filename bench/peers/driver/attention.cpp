// Attention from given scores: eight heads of eight, or one of 64; gradients of features and of both scores.
#include "layer.hpp"  // layer_work

namespace peers {
namespace {

template <int Heads, int Dim> inline constexpr auto h = stg::trainable(stg::vertex_feature<"h", Heads, Dim>);
template <int Heads> inline constexpr auto el = stg::trainable(stg::vertex_feature<"el", Heads, 1>);
template <int Heads> inline constexpr auto er = stg::trainable(stg::vertex_feature<"er", Heads, 1>);

template <int Heads, int Dim>
inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto score = leaky_relu(e.src(el<Heads>) + v(er<Heads>), 0.2);
  return sum(softmax(score) * e.src(h<Heads, Dim>));  // (Heads, Dim)
};

template <int Heads, int Dim> std::unique_ptr<work> make_sized(const case_name& which, const inputs& in) {
  const std::int64_t n = in.graph.vertices();
  auto H = std::make_shared<stg::tensor<float>>(in.normal("h", {n, Heads, Dim}, 1));
  auto L = std::make_shared<stg::tensor<float>>(in.normal("el", {n, Heads, 1}, 2));
  auto R = std::make_shared<stg::tensor<float>>(in.normal("er", {n, Heads, 1}, 3));
  auto bind = [graph = in.graph, H, L, R](auto call) {
    return call(graph, h<Heads, Dim> = *H, el<Heads> = *L, er<Heads> = *R);
  };
  const auto planned = stg::peak_bytes<attention<Heads, Dim>>({.vertices = n, .edges = in.graph.edges()});
  return layer_work(which.pass, stg::compile<attention<Heads, Dim>>(),
                    stg::compile_for_training<attention<Heads, Dim>>(), planned.inference,
                    in.normal("cotangent", {n, Heads, Dim}, 4), std::move(bind));
}

}  // namespace

std::unique_ptr<work> make_attention(const case_name& which, const inputs& in) {
  if (which.size == "8x8") return make_sized<8, 8>(which, in);
  if (which.size == "1x64") return make_sized<1, 64>(which, in);
  return nullptr;
}

}  // namespace peers
