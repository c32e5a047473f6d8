// Hubs and authorities (HITS): sums along in-edges and out-edges by turns.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto hits = [](auto v) {
  auto of_length_1 = [](auto y) { return y * rsqrt(sum(square(y), stg::all_vertices)); };
  auto [hub, authority] = stg::scan<40>(
      v,
      [=](auto v, auto hub, auto) {
        auto authority = of_length_1(sum(v.in_edges().src(hub)));
        return stg::next(of_length_1(sum(v.out_edges().dst(authority))), authority);
      },
      stg::ones<>(v), stg::ones<>(v));
  return stg::outputs(hub, authority);
};

int main() {
  const auto graph = stg::graph::from_edges(5, {0, 0, 1, 1, 2, 4}, {2, 3, 2, 3, 3, 3});
  const auto out = stg::compile<hits>()(graph);
  std::printf("hub %.3f of vertex 0, authority %.3f of vertex 3\n", out.get<0>()(0), out.get<1>()(3));
}

// last line: hub 0.602 of vertex 0, authority 0.851 of vertex 3
