// A barrier of the ranks of a cut: four threads, or the processes that mpirun started (STG_MPI_RANKS). Run it on fewer
// cores than ranks, or beside busy programs: ranks that wait yield the processor.
#if STG_MPI_RANKS
#include <stg/distributed/mpi_ranks.hpp>  // run_mpi
#else
#include <stg/distributed/thread_ranks.hpp>  // run_ranks
#endif
#include <stg/runtime/communicator.hpp>  // barrier

#include <algorithm>  // sort
#include <chrono>     // steady_clock
#include <cstdio>     // printf
#include <vector>     // vector

namespace {

void measure(stg::communicator& ranks) {
  constexpr std::size_t rounds = 2000;
  std::vector<double> took(rounds);
  for (int k = 0; k < 200; ++k) stg::barrier(ranks);
  const auto begun = std::chrono::steady_clock::now();
  for (double& one : took) {
    const auto from = std::chrono::steady_clock::now();
    stg::barrier(ranks);
    one = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
  }
  const double all = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begun).count();
  std::sort(took.begin(), took.end());
  if (ranks.rank() == 0)
    std::printf("barrier of %d ranks: median %.1f us, mean %.1f us, 99 %% within %.0f us\n", ranks.size(),
                took[rounds / 2], all / static_cast<double>(rounds), took[rounds * 99 / 100]);
}

}  // namespace

int main() {
#if STG_MPI_RANKS
  return stg::run_mpi(measure);
#else
  stg::run_ranks(4, measure);
#endif
}
