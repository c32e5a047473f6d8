// Cuts a graph by PT-Scotch, from the graph and from parts on disk, and compares the cuts with METIS'.
#include <stg/base/error.hpp>                      // error
#include <stg/distributed/cut.hpp>                 // cut
#include <stg/distributed/mpi_ranks.hpp>           // run_mpi
#include <stg/distributed/partition_on_ranks.hpp>  // partition_on_ranks
#include <stg/distributed/parts_folder.hpp>        // read_parts, write_parts
#include <stg/distributed/thread_ranks.hpp>        // run_ranks
#include <stg/sampling/clusters.hpp>               // has_partition

#include <cstdint>     // int32_t, uint64_t
#include <cstdio>      // fflush, printf
#include <filesystem>  // remove_all, temp_directory_path
#include <string>      // string, to_string

#include <unistd.h>  // getppid

#include "cut_graphs.hpp"  // planted

namespace {

void demand(bool is_so, const std::string& what) {
  if (!is_so) throw stg::error(what);
}

/// Even parts, few edges between them, and the same on every rank.
void look_at(const char* from, const stg::graph& graph, const stg::tensor<std::int32_t>& parts, int count,
             stg::communicator& here) {
  std::uint64_t sum = 0;
  for (std::int64_t v = 0; v < parts.size(); ++v) sum = sum * 1099511628211u + static_cast<std::uint64_t>(parts(v));
  demand(stg::all_say(here, true), "a rank is lost");
  demand(stg::first_difference(here, {{sum}}) < 0, "ranks have other parts");
  const stg::cut made = stg::cut::of(graph, parts);
  demand(made.parts() == count, std::to_string(made.parts()) + " parts");
  if (here.rank() != 0) return;
  const auto cost = made.cost();
  const double of_metis = stg::cut::by_metis(graph, count).cost().cut_edges;
  std::printf("%s: %.2f %% of edges are cut, METIS cuts %.2f %%; the largest part has %.3f of even work. ", from,
              cost.cut_edges * 100, of_metis * 100, cost.largest_work);
  std::fflush(stdout);
  demand(cost.largest_work <= 1.05, "parts of uneven work");
  demand(cost.cut_edges <= 1.1 * of_metis, "many edges are cut");
}

std::string error_of_threads(const stg::graph& graph) {
  std::string said;
  stg::run_ranks(1, [&](stg::communicator& here) {
    try {
      (void)stg::partition_on_ranks(graph, here, 2);
    } catch (const stg::error& e) {
      said = e.what();
    }
  });
  return said;
}

void cut_twice(stg::communicator& here) {
  constexpr int parts = 8;
  const stg::graph graph = graphs::planted(32);
  look_at("from a graph", graph, stg::partition_on_ranks(graph, here, parts), parts, here);

  const auto folder = std::filesystem::temp_directory_path() / ("stg_scotch_" + std::to_string(getppid()));
  if (here.rank() == 0) stg::write_parts(folder.string(), stg::cut::by_ranges(graph, 4));
  stg::barrier(here);
  const stg::distributed_graph part = stg::read_parts(folder.string()).part(here);
  look_at("from parts", graph, stg::partition_on_ranks(part, parts, 7), parts, here);
  if (here.rank() == 0) std::filesystem::remove_all(folder);

  demand(error_of_threads(graph).find("the ranks are threads of one process") != std::string::npos, "threads may");
  std::string said;
  try {
    (void)stg::partition_on_ranks(graph, here, 0);
  } catch (const stg::error& e) {
    said = e.what();
  }
  demand(said.find("0 parts of a graph of") != std::string::npos, "no parts: " + said);
  if (here.rank() == 0) std::printf("2 cuts are right\n");
}

}  // namespace

int main() { return stg::run_mpi(cut_twice); }
