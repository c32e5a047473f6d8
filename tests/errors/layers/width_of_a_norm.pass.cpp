// The twin of width_of_a_norm.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::layer_norm(v(x));
};
auto compiled = stg::compile<model>();
