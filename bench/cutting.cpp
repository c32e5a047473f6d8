// What it takes to cut a graph: METIS, and all beside METIS until each of 2, 4 and 8 ranks has its part; and the
// largest share of work. Medians of five. Ranks are threads, which share the machine's cores.
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/sampling/clusters.hpp>              // partition

#include <algorithm>    // find, sort
#include <array>        // array
#include <chrono>       // steady_clock
#include <cstdio>       // printf
#include <optional>     // optional
#include <string_view>  // string_view
#include <vector>       // vector

#include "cut_graphs.hpp"  // grid, planted
#include "graphs.hpp"      // named

namespace {

template <class Body> double seconds(const Body& body) {
  const auto begun = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void measure(const char* name, const stg::graph& g) {
  constexpr int parts = 8;
  constexpr std::size_t rounds = 3;
  std::array<double, rounds> by_metis{}, beside{};
  std::optional<stg::cut> cut;
  for (std::size_t round = 0; round < rounds; ++round) {
    stg::tensor<std::int32_t> of;
    by_metis[round] = seconds([&] { of = stg::partition(g, parts, 1, stg::part_weights::work); });
    beside[round] = seconds([&] {
      cut = stg::cut::of(g, of);
      stg::run_ranks(parts, [&](stg::communicator& here) { const stg::distributed_graph part(*cut, here); });
    });
  }
  std::sort(by_metis.begin(), by_metis.end());
  std::sort(beside.begin(), beside.end());
  std::printf("%-10s METIS %6.3f s, all else %6.3f s; largest share of work %.3f of even\n", name, by_metis[rounds / 2],
              beside[rounds / 2], cut->cost().largest_work);
  std::fflush(stdout);
}

}  // namespace

/// All graphs, or those that are named.
int main(int count, char** words) {
  const std::vector<std::string_view> only(words + 1, words + count);
  const auto is_wanted = [&](const char* name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  if (is_wanted("grid")) measure("grid", graphs::grid(400));
  if (is_wanted("planted")) measure("planted", graphs::planted(100));
  for (const char* name : {"arxivai", "arxiv_like"})
    if (const auto g = is_wanted(name) ? graphs::named(name) : std::nullopt) measure(name, *g);
}
