// A convolution over time that carries a part of a step.
// build error: stg: st_conv carries whole steps, \(kernel - 1\) times as wide as what it reads
// allows: further errors
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto U = stg::parameter<"U", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::st_conv{W, U, W}(v, v(x), stg::zeros<12>(v), stg::zeros<8>(v)).y;  // <- here
};
auto compiled = stg::compile<model>();
