// PageRank: a step that is repeated fifty times.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <algorithm>  // max_element
#include <cstdio>     // printf

inline constexpr auto pagerank = [](auto v) {
  auto n = 1.0 * v.vertex_count();
  auto start = stg::ones<>(v) / n;
  return stg::scan<50>(
      v,
      [=](auto v, auto rank) {
        auto out = max(v.out_degree(), 1.0);
        return 0.15 / n + 0.85 * sum(v.in_edges().src(rank / out));
      },
      start);
};

int main() {
  const auto club = stg::karate_club();
  const auto rank = stg::compile<pagerank>()(club.graph);
  const auto most = std::max_element(rank.begin(), rank.end());
  std::printf("vertex %d has rank %.4f\n", int(most - rank.begin()), *most);
}

// last line: vertex 33 has rank 0.1009
