// The next snapshot of a changing graph: taken from the last one and what changed, beside a graph made of its edges.
#include <stg/runtime/graph_sequence.hpp>  // graph_sequence
#include <stg/runtime/parallel.hpp>        // set_threads, threads

#include <cstdint>  // int64_t
#include <cstdio>   // printf
#include <vector>   // vector

#include "drawn_steps.hpp"  // drawn_steps
#include "rounds.hpp"       // medians, timed

int main() {
  using namespace drawn_steps;
  const std::vector<stg::snapshot_edges> all = drawn_steps::all();
  auto sequence = stg::graph_sequence::from_steps(vertices, all, {.store = stg::snapshot_store::changes});
  std::printf("%d steps of %lld vertices and %lld edges, %d %% others each step, with weights\n", steps,
              static_cast<long long>(vertices), static_cast<long long>(edges), percent);
  const int most = stg::threads();
  for (int n = 1; n <= most; n *= 2) {
    stg::set_threads(n);
    std::size_t made = 0;
    std::int64_t at = 0, kept = 0;
    const auto results = rounds::medians({rounds::timed("the next step", [&] { sequence.at(at = (at + 1) % steps); }),
                                          rounds::timed("and back", [&] { sequence.at(at == 0 ? at : at - 1); }),
                                          rounds::timed("again", [&] { sequence.at(at); }),
                                          rounds::timed("ten steps on", [&] { sequence.at((at + 10) % steps); }),
                                          rounds::timed("ten steps back", [&] { sequence.at(at); }),
                                          rounds::timed("stg::graph::from_edges",
                                                        [&] {
                                                          const auto& s = all[made = (made + 1) % all.size()];
                                                          kept +=
                                                              stg::graph::from_edges(vertices, s.src, s.dst).edges();
                                                        })},
                                         59);
    std::printf("%d of the pool's threads:\n", n);
    for (const auto& r : results) std::printf("  %-24s %8.3f ms\n", r.part.c_str(), 1e3 * r.seconds);
    if (kept == 0) return 1;
  }
  const double held = static_cast<double>(sequence.bytes()),
               resident = static_cast<double>(sequence.bytes_if_resident());
  std::printf("%.1f MB, and %.1f MB if all snapshots are resident: 1 / %.1f\n", held / 1e6, resident / 1e6,
              resident / held);
}
