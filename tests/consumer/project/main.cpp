// A stranger's program: a layer of their own, on the data set that is always there.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <cstdio>  // printf

inline constexpr auto one = stg::vertex_feature<"one", 1>;
inline constexpr auto neighbours = [](auto v) { return sum(v.in_edges().src(one)); };

int main() {
  const auto club = stg::karate_club();
  stg::tensor<float> ones({club.graph.vertices(), 1});  // (vertices, 1)
  ones.fill(1);
  const auto degrees = stg::compile<neighbours>()(club.graph, one = ones);  // (vertices, 1)
  std::printf("the instructor has %.0f friends, the officer %.0f\n", degrees.data()[0], degrees.data()[33]);
  return degrees.data()[0] == 16 && degrees.data()[33] == 17 ? 0 : 1;
}
