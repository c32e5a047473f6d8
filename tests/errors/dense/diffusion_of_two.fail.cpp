// Two parameters for diffusion_conv.
// build error: stg: diffusion_conv takes a parameter for x and two for each hop, there and back: W, F1, B1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto F = stg::parameter<"F", 8, 8>;
constexpr auto B = stg::parameter<"B", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::diffusion_conv(v, v(x), W, F);  // <- here
};
auto compiled = stg::compile<model>();
