// The twin of weight_of_a_norm.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto g = stg::parameter<"g", 16>;
constexpr auto model = [](auto v) {
  return g * stg::nn::layer_norm(v(x)) + g;
};
auto compiled = stg::compile<model>();
