// Heat that flows along edges, with the temperature of every step as a result.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto start = stg::vertex_feature<"start">;
inline constexpr auto heat = [](auto v) {
  auto [last, all] = stg::scan<20>(
      v,
      [](auto v, auto t) {
        auto e = v.in_edges();
        auto now = t + 0.2 * sum(e.src(t) - e.dst(t));
        return stg::next(now).gives(now);
      },
      v(start));
  return stg::outputs(last, all);
};

int main() {
  const auto ring = stg::graph::from_edges(6, {0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 0}).to_undirected();
  const auto at_first = stg::tensor<float>::from({6}, {60, 0, 0, 0, 0, 0});
  const auto out = stg::compile<heat>()(ring, start = at_first);
  const stg::tensor<float>& all = out.get<1>();  // (20, 6)
  std::printf("vertex 0: %.1f after one step, %.1f after twenty\n", all(0, 0), all(19, 0));
}

// last line: vertex 0: 36.0 after one step, 10.2 after twenty
