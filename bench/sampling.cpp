// Sampling neighbours 15-10-5 from 1,024 seeds: edges per second, and how much of it a loader hides behind a step.
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <algorithm>  // max
#include <chrono>     // steady_clock
#include <cstdint>    // int32_t, int64_t
#include <cstdio>     // printf
#include <ctime>      // clock
#include <memory>     // shared_ptr
#include <string>     // string
#include <vector>     // vector

#include "graphs.hpp"  // named
#include "rounds.hpp"  // medians, timed

namespace {

constexpr std::int64_t batches = 20;

struct sampling {
  std::string graph;
  stg::neighbour_sampler sampler;
  std::vector<std::int32_t> seeds;

  stg::loader loader(int threads) const {
    return {std::shared_ptr<const stg::sampler>(&sampler, [](const auto*) {}),
            seeds,
            {.batch_size = 1024, .seed = 1, .ahead = 2 * std::max(1, threads), .threads = threads}};
  }
};

sampling of(const std::string& name) {
  const stg::graph g = *graphs::named(name);
  std::vector<std::int32_t> seeds(batches * 1024);
  // Every second vertex, or so: their ids are permuted.
  for (std::size_t i = 0; i < seeds.size(); ++i)
    seeds[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) *
                                         (g.vertices() / static_cast<std::int64_t>(seeds.size())));
  return {name, stg::neighbour_sampler(g, {.fan_outs = {15, 10, 5}}), std::move(seeds)};
}

/// Edges per second of the clock, in the median epoch, and per second of a processor over all of them: the latter says
/// the same on a busy machine.
void print_rate(const sampling& s, int threads) {
  stg::loader loader = s.loader(threads);
  std::int64_t epoch = 0, edges = 0, all_edges = 0;
  std::clock_t used = 0;
  const auto result = rounds::medians({rounds::timed("epoch",
                                                     [&] {
                                                       const std::clock_t before = std::clock();
                                                       edges = 0;
                                                       for (const stg::loaded_batch& b : loader.epoch(epoch++))
                                                         edges += b.graph.edges();
                                                       used += std::clock() - before;
                                                       all_edges += edges;
                                                     })},
                                      7);
  const std::string by = threads == 0 ? "called for" : std::to_string(threads) + " of a loader's threads";
  std::printf("  %-26s %7.1f M edges/s, %7.1f per second of a processor, %6.2f ms a batch of %lld edges\n", by.c_str(),
              static_cast<double>(edges) / result[0].seconds / 1e6,
              static_cast<double>(all_edges) / (static_cast<double>(used) / CLOCKS_PER_SEC) / 1e6,
              1e3 * result[0].seconds / batches, static_cast<long long>(edges / batches));
}

/// A step that takes as long as sampling, on a thread of its own: what is left of the time that both take in turn.
void print_hidden(const sampling& s) {
  stg::loader alone = s.loader(0), ahead = s.loader(1);
  std::int64_t epoch = 0;
  double of_batch = 0;
  const auto step = [&] {  // looks at the clock, as a computation would keep a processor busy
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(of_batch);
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  const auto sampled = rounds::medians({rounds::timed("",
                                                      [&] {
                                                        for (const stg::loaded_batch& b : alone.epoch(epoch)) (void)b;
                                                        ++epoch;
                                                      })},
                                       5)[0]
                           .seconds;
  of_batch = sampled / batches;
  const auto both = rounds::medians({rounds::timed("in turn",
                                                   [&] {
                                                     for (const stg::loaded_batch& b : alone.epoch(epoch))
                                                       (void)b, step();
                                                   }),
                                     rounds::timed("ahead",
                                                   [&] {
                                                     for (const stg::loaded_batch& b : ahead.epoch(epoch++))
                                                       (void)b, step();
                                                   })},
                                    5);
  std::printf("  a step as long as sampling: %.2f ms in turn, %.2f ms with a loader; %.2f of sampling is hidden\n",
              1e3 * both[0].seconds / batches, 1e3 * both[1].seconds / batches,
              (both[0].seconds - both[1].seconds) / sampled);
}

}  // namespace

int main() {
  for (const char* name : {"arxiv_like", "reddit_like"}) {
    const sampling s = of(name);
    std::printf("%s, 15-10-5 from 1,024 seeds\n", name);
    for (const int threads : {0, 1, 2}) print_rate(s, threads);
    print_hidden(s);
  }
}
