// The twin of layer_of_pyg.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return stg::nn::gcn_conv(v, v(x), W);
};
auto compiled = stg::compile<model>();
