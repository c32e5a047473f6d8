// The twin of arma_of_three.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto V = stg::parameter<"V", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::arma_conv(v, v(x), W, V, W, V);
};
auto compiled = stg::compile<model>();
