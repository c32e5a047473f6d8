// What a program becomes and costs, before there is a graph.
#include <stg/stg.hpp>  // the language

#include <cstdio>    // printf
#include <iostream>  // cout

inline constexpr auto h = stg::vertex_feature<"h", 8, 16>;
inline constexpr auto el = stg::vertex_feature<"el", 8, 1>;
inline constexpr auto er = stg::vertex_feature<"er", 8, 1>;
inline constexpr auto gat = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

int main() {
  std::cout << stg::explain<gat>();
  const auto bytes = stg::peak_bytes<gat>({.vertices = 1000, .edges = 50000});
  std::printf("less memory than an array of edges and features: %s\n",
              bytes.inference < 50000 * 128 * 4 ? "yes" : "no");
}

// last line: less memory than an array of edges and features: yes
