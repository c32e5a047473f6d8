// A call that forgets an input.
// names: W
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2, 8});
  auto out = stg::compile<model>()(g, x = X);  // <- here
  return out.extent(0) == 2;
}
