// A tensor for an edge feature.
// names: w
#include <stg/stg.hpp>
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto model = [](auto v) {
  return sum(v.in_edges()(w));
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> weights({1});
  auto out = stg::compile<model>()(g, w = weights);  // <- here
}
