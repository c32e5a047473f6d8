// The part of a rank of a plain graph: one vertex set, and one relation between its vertices.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/communicator.hpp>  // communicator

#include <cstdint>  // int32_t
#include <vector>   // vector

#include "graph_part.hpp"  // graph_part
#include "part_rows.hpp"   // edges_of_vertices

namespace stg::distributed {

/// The part of a rank: own rows in the order of the cut's blocks, then the halo: the given vertices of other ranks, in
/// any order, or those that an edge joins with an own one. Errors: a cut of several vertex sets, more ranks than parts,
/// and 2^31 edges of one rank.
graph_part build_part(const cut& of, communicator& ranks, const edges_of_vertices& edges,
                      const std::vector<std::int32_t>* halo = nullptr);
/// The vertices of other ranks that an edge joins with an own one, in any order.
std::vector<std::int32_t> neighbours_of_part(const cut& of, communicator& ranks, const edges_of_vertices& edges);

}  // namespace stg::distributed
