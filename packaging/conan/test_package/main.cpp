// Sums over in-edges on a graph of three vertices: what a package must be able to do.
#include <stg/stg.hpp>

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 1>;
inline constexpr auto sums = [](auto v) { return sum(v.in_edges().src(x)); };

int main() {
  const std::int64_t src[] = {0, 1, 2}, dst[] = {2, 2, 0};
  const auto graph = stg::graph::from_edges(3, src, dst);
  auto values = stg::tensor<float>::full({3, 1}, 2.0f);
  const stg::tensor<float> y = stg::compile<sums>()(graph, x = values);
  std::printf("%g %g %g\n", y(0, 0), y(1, 0), y(2, 0));
  return y(0, 0) == 2 && y(1, 0) == 0 && y(2, 0) == 4 ? 0 : 1;
}
