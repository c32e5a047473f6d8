// Finds parts of a ring of vertices by PT-Scotch, on however many processes.
#include <stg/base/error.hpp>                      // error
#include <stg/distributed/mpi_ranks.hpp>           // run_mpi
#include <stg/distributed/partition_on_ranks.hpp>  // partition_on_ranks

#include <cstdint>  // int64_t
#include <cstdio>   // printf
#include <string>   // to_string
#include <vector>   // vector

int main() {
  constexpr std::int64_t vertices = 64;
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < vertices; ++v) {
    src.push_back(v);
    dst.push_back((v + 1) % vertices);
  }
  return stg::run_mpi([&](stg::communicator& here) {
    const auto ring = stg::graph::from_edges(vertices, src, dst);
    const auto parts = stg::partition_on_ranks(ring, here, 2);  // (vertices)
    int cut = 0;
    for (std::int64_t v = 0; v < vertices; ++v) cut += parts(v) != parts((v + 1) % vertices) ? 1 : 0;
    if (cut < 2 || cut > 6) throw stg::error("a ring is cut " + std::to_string(cut) + " times");
    if (here.rank() == 0) std::printf("%d ranks cut a ring at %d edges\n", here.size(), cut);
  });
}
