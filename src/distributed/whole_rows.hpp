// The whole graph beside the part of a rank, for sweeps that are cut by features.
#pragma once

#include <stg/distributed/cut.hpp>  // cut

#include "graph_part.hpp"  // graph_part

namespace stg::distributed {

/// Gives a part the whole graph, and the part keeps it: all ranks of one process share the graph's memory.
/// Memory beside it: 4 bytes for each vertex. by: how sweeps are cut, not by rows.
void add_whole_rows(const cut& of, cut_by by, graph_part& part);

}  // namespace stg::distributed
