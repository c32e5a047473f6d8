// A graph whose edges change: a scan sees at each step the edges of that step.
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/stg.hpp>                     // the language

#include <cstdio>  // printf
#include <vector>  // vector

inline constexpr auto ill = stg::vertex_feature<"ill">;
inline constexpr auto spread = [](auto v) {
  return stg::scan<"T">(
      v, [](auto v, auto i) { return max(i, max(v.in_edges().src(i))); }, v(ill));
};

int main() {
  // Who met whom on three days: 0 and 1; then 1 and 2; then 0 and 3.
  const std::vector<stg::snapshot_edges> days{{{0, 1}, {1, 0}, {}}, {{1, 2}, {2, 1}, {}}, {{0, 3}, {3, 0}, {}}};
  const auto meetings = stg::graph_sequence::from_steps(5, days);
  const auto first = stg::tensor<float>::from({5}, {1, 0, 0, 0, 0});
  const auto last = stg::compile<spread>()(meetings, ill = first);
  float count = 0;
  for (const float i : last) count += i;
  std::printf("%g of 5 are ill\n", count);
}

// last line: 4 of 5 are ill
