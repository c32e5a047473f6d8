// The twin of tensor.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto logits = [](auto v) {
  return matmul(v(x), W);
};
constexpr auto loss = [](auto v) {
  return mean(sum(logits(v), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();

auto work(const stg::tensor<float>& X) { return X.to<double>(); }
