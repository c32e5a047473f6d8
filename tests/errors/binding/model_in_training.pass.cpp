#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto next = [](auto v) {
  return sum(v.in_edges().src(x));
};
auto model = stg::compile<next>();

auto called(const stg::graph& g, const stg::tensor<float>& X) { return model(g, x = X); }
