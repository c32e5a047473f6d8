// Own rows and the halo of a plain graph, with edges in the whole graph's order.
#include "part_builder.hpp"

#include <stg/base/error.hpp>  // error

#include "cut_state.hpp"   // check_ranks, cut_access
#include "part_edges.hpp"  // part_of_edges

namespace stg::distributed {

namespace {

part_rows own_rows(const cut& of, communicator& ranks) {
  if (of.whole().has_kinds())
    throw error("part of a cut graph: the cut is of several vertex sets; write distributed_graphs");
  detail::check_ranks("part of a cut graph", of, ranks);
  return {of, "", ranks};
}
void add_neighbours(part_rows& rows, const edges_of_vertices& edges) {
  rows.add_ends(rows, edges.in, edges.are_of_own_rows);
  rows.add_ends(rows, edges.out, edges.are_of_own_rows);
}

}  // namespace

graph_part build_part(const cut& of, communicator& ranks, const edges_of_vertices& edges,
                      const std::vector<std::int32_t>* halo) {
  part_rows rows = own_rows(of, ranks);
  if (halo == nullptr) add_neighbours(rows, edges);
  else rows.add_halo(*halo);
  rows.number_halo();
  graph_part made = part_of_edges(edges, rows, rows, false);
  rows.write_exchanged(*made.rows);
  const auto& all = detail::cut_access::state_of(of);
  made.rows->all_edges = all.edges;
  made.rows->cut = all.number;
  made.edges->messages = &ranks;
  return made;
}

std::vector<std::int32_t> neighbours_of_part(const cut& of, communicator& ranks, const edges_of_vertices& edges) {
  part_rows rows = own_rows(of, ranks);
  add_neighbours(rows, edges);
  return {rows.halo().begin(), rows.halo().end()};
}

}  // namespace stg::distributed
