// Triangles: the neighbours that the two ends of an edge have in common.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <cstdio>  // printf

inline constexpr auto self = stg::vertex_feature<"self", 34>;  // 1 at the vertex's own place
inline constexpr auto triangles = [](auto v) {
  auto e = v.in_edges();
  auto neighbours = sum(e.src(self));                               // (34): 1 at each neighbour
  auto common = sum(e.src(neighbours) * neighbours, stg::axis<0>);  // () per edge
  return sum(sum(common), stg::all_vertices) / 6.0;                 // each is seen along six directed edges
};

int main() {
  const auto club = stg::karate_club();  // whose features are the identity
  std::printf("%g triangles\n", stg::compile<triangles>()(club.graph, self = club.features)());
}

// last line: 45 triangles
