// The edges of a rank, of a plain graph or of a relation, numbered anew.
#pragma once

#include <memory>  // unique_ptr
#include <string>  // string

#include "graph_part.hpp"  // graph_part
#include "part_rows.hpp"   // edges_of_vertices, part_rows

namespace stg::distributed {

/// The edges of own rows, from sources to destinations, which are one set or two: the edges into own rows come first,
/// then the edges from own rows into the halo. Rows hold them in the whole graph's order. The rows of both sets learn
/// which of them are exchanged. `of` is the user's name of the edges, for an error: more than 2^31 - 1 on a rank.
graph_part part_of_edges(const edges_of_vertices& edges, part_rows& sources, part_rows& destinations,
                         bool joins_two_sets, const std::string& of = "");

}  // namespace stg::distributed
