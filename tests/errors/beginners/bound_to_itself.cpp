// A feature that is bound to itself.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return relu(v(x));
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  auto out = stg::compile<model>()(g, x = x);  // <- here
}
