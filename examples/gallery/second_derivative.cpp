// A derivative of a derivative, in double: how an energy curves along one number of each vertex.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", stg::f64>;
inline constexpr auto curvature = [](auto v) {
  auto energy = sum(v(x) * v(x) * v(x), stg::all_vertices);
  auto slope = gradient(energy, v(x));                   // 3 x²
  return gradient(sum(slope, stg::all_vertices), v(x));  // 6 x
};

int main() {
  const auto graph = stg::graph::from_edges(3, {0}, {1});
  const auto out = stg::compile<curvature>()(graph, x = stg::tensor<double>::from({3}, {1, 2, 3}));
  std::printf("%g %g %g\n", out(0), out(1), out(2));
}

// last line: 6 12 18
