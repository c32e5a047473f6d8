// mpi_ranks: the ranks of a cut as processes that mpirun starts. What is declared here is in the library stg::mpi.
#pragma once

#include <stg/runtime/communicator.hpp>  // communicator

#include <chrono>      // milliseconds
#include <functional>  // function

namespace stg {

struct mpi_rank_options {
  std::chrono::milliseconds patience{30'000};  // how long ranks that all wait do so
  std::chrono::milliseconds silence{20'000};   // how long one may do nothing, or be out of reach; 0: no heartbeat
  std::chrono::milliseconds longest_work{3'600'000};  // how long one may compute while others wait for it
};

/// Runs work(communicator) in each process that mpirun started, as one rank; a program that was started by itself is
/// one rank alone. MPI begins and ends in the call, which a program makes once. An error of one rank is printed, with
/// the rank, and ends all processes; so does a rank that dies, stands still, returns too early or is cut off, which
/// the others see by a heartbeat over TCP connections of their own. Returns what main returns: 0.
///
///   int main() {
///     return stg::run_mpi([](stg::communicator& ranks) {
///       const stg::distributed_graph part(cut, ranks);
///       train(part);
///     });
///   }
int run_mpi(const std::function<void(communicator&)>& work, const mpi_rank_options& how = {});

}  // namespace stg
