// A form of a program that fixes what it does not read.
// build error: stg: fixed<\.\.\.>\(\) names an input that the program does not read; name one that it reads
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};

auto peak = stg::peak_bytes<model>({.vertices = 10, .edges = 20}, stg::fixed<y>());  // <- here
