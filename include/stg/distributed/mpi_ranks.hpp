// mpi_ranks: the ranks of a cut as processes that mpirun starts. What is declared here is in the library stg::mpi.
#pragma once

#include <stg/runtime/communicator.hpp>  // communicator

#include <chrono>      // milliseconds
#include <functional>  // function

namespace stg {

struct mpi_rank_options {
  std::chrono::milliseconds patience{30'000};  // how long a rank waits for a message
};

/// Runs work(communicator) in each process that mpirun started, as one rank; a program that was started by itself is
/// one rank alone. MPI begins and ends in the call, which a program makes once. An error of one rank is printed, with
/// the rank, and ends all processes. Returns what main returns: 0.
///
///   int main() {
///     return stg::run_mpi([](stg::communicator& ranks) {
///       const stg::distributed_graph part(cut, ranks);
///       train(part);
///     });
///   }
int run_mpi(const std::function<void(communicator&)>& work, const mpi_rank_options& how = {});

}  // namespace stg
