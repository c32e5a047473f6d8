// A copy of a graph that knows its ranks.
#include <stg/distributed/graph_of_rank.hpp>

#include <stg/base/error.hpp>  // error

#include "../runtime/graph/graph_state.hpp"  // graph::state, graph_access

namespace stg {

namespace {

graph with_messages(const graph& whole, communicator& ranks) {
  detail::graph_access::check_whole(whole, "graph_of_rank");
  if (whole.has_kinds()) throw error("graph_of_rank is for a graph of one set of vertices");
  const graph::state& from = detail::graph_access::state_of(whole).host();
  auto to = std::make_shared<graph::state>();
  to->sources = from.sources, to->destinations = from.destinations, to->edges = from.edges;
  to->in_offsets = from.in_offsets, to->out_offsets = from.out_offsets;
  to->in_neighbours = from.in_neighbours, to->out_neighbours = from.out_neighbours;
  to->input_position = from.input_position, to->out_ids = from.out_ids;
  to->in_degrees = from.in_degrees, to->out_degrees = from.out_degrees;
  to->larger_vertices = from.larger_vertices, to->larger_sources = from.larger_sources;
  to->larger_edges = from.larger_edges;
  to->known_degrees = from.known_degrees, to->known_out_degrees = from.known_out_degrees;
  to->joins_two_sets = from.joins_two_sets;
  to->finish();
  to->messages = &ranks;
  return detail::graph_access::of(std::move(to));
}

}  // namespace

graph_of_rank::graph_of_rank(const graph& whole, communicator& ranks) : graph(with_messages(whole, ranks)) {}

}  // namespace stg
