// The order of a polynomial where its largest eigenvalue belongs.
// build error: stg: cheb_conv takes the largest eigenvalue, above 0, at most 2; its order is the number of weights
// names: cheb_conv
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::nn::cheb_conv(v, v(x), 3, W, W, W);
};
auto compiled = stg::compile<model>();  // <- here
