// Three parameters for the steps of arma_conv.
// build error: stg: arma_conv takes two parameters for each step: W1, V1, W2, V2
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto V = stg::parameter<"V", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::arma_conv(v, v(x), W, V, W);  // <- here
};
auto compiled = stg::compile<model>();
