// A gated recurrent cell over graph convolutions (TGCN), written out for twenty-four time steps, and its training step.
#include "numbered.hpp"

constexpr auto x = stg::vertex_feature<"x", 24>;  // a number for each step
constexpr auto y = stg::vertex_feature<"y", 1>;
constexpr auto head = stg::parameter<"head", 32, 1>;

template <int Gate> inline constexpr auto W = stg::parameter<numbered<Gate>('W'), 1, 32>;
template <int Gate> inline constexpr auto U = stg::parameter<numbered<Gate>('U'), 64, 32>;
template <int Gate> inline constexpr auto b = stg::parameter<numbered<Gate>('b'), 32>;

template <int Gate> constexpr auto gate(auto v, auto in, auto h) {
  return linear(stg::concat<stg::axis<0>>(stg::nn::gcn_conv(v, in, W<Gate>), h), U<Gate>, b<Gate>);
}
template <int T> constexpr auto steps(auto v, auto h) {
  if constexpr (T == 24) return h;
  else {
    auto in = stg::slice<T, T + 1>(v(x));
    auto update = sigmoid(gate<0>(v, in, h)), reset = sigmoid(gate<1>(v, in, h));
    auto candidate = stg::tanh(gate<2>(v, in, reset * h));
    return steps<T + 1>(v, update * h + (1.0 - update) * candidate);
  }
}
constexpr auto loss = [](auto v) {
  auto nothing = 0.0 * matmul(stg::slice<0, 1>(v(x)), W<0>);
  return mse(matmul(relu(steps<0>(v, nothing)), head), v(y));
};
static_assert(is_planned<loss>());
