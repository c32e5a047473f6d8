// A gradient of one value per vertex.
// build error: stg: value_and_grad takes a loss: one real number for the graph, such as sum\(x, all_vertices\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 1>;
constexpr auto model = [](auto v) {
  auto y = reshape<>(matmul(v(x), W));
  return y * y;
};
auto step = stg::value_and_grad<model>();  // <- here
