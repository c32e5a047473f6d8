// Connected components: each vertex takes the smallest number around it, until nothing changes.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf
#include <set>     // set

inline constexpr auto number = stg::vertex_feature<"number">;
inline constexpr auto components = [](auto v) {
  return stg::scan<8>(
      v,
      [](auto v, auto c) {
        auto near = min(v.in_edges().src(c));
        return select(v.in_degree() > 0.0, min(c, near), c);
      },
      v(number));
};

int main() {
  const auto graph = stg::graph::from_edges(8, {0, 1, 2, 4, 5}, {1, 2, 3, 5, 6}).to_undirected();
  stg::tensor<float> numbers({8});
  for (std::int64_t v = 0; v < 8; ++v) numbers(v) = float(v);
  const auto c = stg::compile<components>()(graph, number = numbers);
  std::printf("%zu components\n", std::set<float>(c.begin(), c.end()).size());
}

// last line: 3 components
