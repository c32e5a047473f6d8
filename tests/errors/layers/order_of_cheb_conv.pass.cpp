// The twin of order_of_cheb_conv.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::nn::cheb_conv(v, v(x), 2, W, W, W);
};
auto compiled = stg::compile<model>();
