// compile<model> without its brackets.
// names: model
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  return 2.0 * v(x);
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2});
  auto y = stg::compile<model>(g, x = X);  // <- here
}
