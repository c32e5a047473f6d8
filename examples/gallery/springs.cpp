// Springs between vertices: forces are the gradient of the energy, inside the program.
#include <stg/stg.hpp>  // the language

#include <cmath>   // hypot
#include <cstdio>  // printf

inline constexpr auto place = stg::vertex_feature<"place", 2>;
inline constexpr auto relaxed = [](auto v) {
  return stg::scan<200>(
      v,
      [](auto v, auto p) {
        auto e = v.in_edges();
        auto apart = e.src(p) - e.dst(p);
        auto stretched = sqrt(sum(square(apart), stg::axis<0>) + 1e-12) - 1.0;  // springs of length 1
        auto energy = sum(sum(square(stretched)), stg::all_vertices);
        return p - 0.05 * gradient(energy, p);
      },
      v(place));
};

int main() {
  const auto triangle = stg::graph::from_edges(3, {0, 1, 2}, {1, 2, 0}).to_undirected();
  const auto at_first = stg::tensor<float>::from({3, 2}, {0, 0, 3, 0, 1, 2});
  const auto p = stg::compile<relaxed>()(triangle, place = at_first);
  std::printf("a side is %.3f long\n", std::hypot(p(0, 0) - p(1, 0), p(0, 1) - p(1, 1)));
}

// last line: a side is 1.000 long
