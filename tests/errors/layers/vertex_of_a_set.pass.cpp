// The twin of vertex_of_a_set.fail.cpp.
#include <stg/stg.hpp>

constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto x = paper.feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto g) {
  auto p = g(paper);
  return relu(matmul(p(x), W));
};
auto compiled = stg::compile<model>();
