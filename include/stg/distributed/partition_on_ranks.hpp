// partition_on_ranks: parts of a graph with few edges between them, found by processes of MPI together. What is
// declared here is in the library stg::scotch.
#pragma once

#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/runtime/communicator.hpp>           // communicator
#include <stg/runtime/graph.hpp>                  // graph
#include <stg/runtime/tensor.hpp>                 // tensor

#include <cstdint>  // int32_t, uint64_t

namespace stg {

/// The part of each vertex, (vertices), numbered from 0, the same on all ranks: few edges between parts, and equal
/// work, rows and edges of both directions, as of cut::by_metis. PT-Scotch finds them, each rank a share of the
/// vertices, so graphs have no limit of 2^30 edges, which METIS has. The ranks are processes that run_mpi runs, and all
/// call it. Memory of a rank: 8 bytes for each edge of its vertices in each direction, several times over, and 4 for
/// each vertex. Another number gives another cut; one number need not give the same parts on other machines.
///
/// Here every rank has the graph, and takes consecutive vertices. Errors: ranks that are threads, a number of parts
/// that is not in [1, vertices], and what PT-Scotch refuses.
///
///   stg::run_mpi([](stg::communicator& here) {
///     const auto cut = stg::cut::of(graph, stg::partition_on_ranks(graph, here, 8));
///   });
tensor<std::int32_t> partition_on_ranks(const graph& whole, communicator& ranks, int parts, std::uint64_t number = 1);

/// The same of a graph that no rank has: each has a part, from files say, of any cut, and takes its own vertices.
///
///   const auto part  = stg::read_parts("ranges").part(here);
///   const auto parts = stg::partition_on_ranks(part, 8);  // of all vertices
tensor<std::int32_t> partition_on_ranks(const distributed_graph& part, int parts, std::uint64_t number = 1);

}  // namespace stg
