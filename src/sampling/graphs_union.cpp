// Vertex sets and relations of many graphs side by side, and the readouts of them.
#include "../runtime/graph/graph_state.hpp"  // graph_access
#include "../runtime/graph/kind_table.hpp"   // quote

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/graphs_union.hpp>  // graphs_union

#include <algorithm>  // find
#include <cstddef>    // size_t
#include <limits>     // numeric_limits

namespace stg {

namespace {

using part_offsets = graphs_union::part_offsets;
using detail::quote;

/// (graphs + 1) from how many of something each graph has.
template <class Count> part_offsets offsets_of(const std::string& name, std::size_t graphs, const Count& count) {
  part_offsets all{name, std::vector<std::int64_t>(graphs + 1)};
  for (std::size_t i = 0; i < graphs; ++i) all.offsets[i + 1] = all.offsets[i] + count(i);
  return all;
}

void add_vertices(graphs& to, const part_offsets& set) {
  if (set.offsets.back() > std::numeric_limits<std::int32_t>::max())
    throw error("batch_graphs: vertex set " + quote(set.name) + " has " + std::to_string(set.offsets.back()) +
                " vertices in all graphs; batch fewer");
  to.add_vertices(set.name, set.offsets.back());
}

void add_readout(graphs& to, const relation_names& readout, std::span<const std::int64_t> offsets) {
  to.add_edges(readout.name, readout.source, readout.destination, detail::graph_access::to_containers(offsets));
}

/// Graphs of one batch have the same sets and relations, in whatever order.
void check_kinds_of(const graphs& g, std::size_t i, const graphs& first) {
  const auto sets = g.vertex_sets(), wanted_sets = first.vertex_sets();
  const auto relations = g.relations(), wanted = first.relations();
  const auto missing = [&](const auto& all, const auto& one) {
    return std::find(all.begin(), all.end(), one) == all.end();
  };
  const std::string graph_i = "batch_graphs: graph " + std::to_string(i);
  for (const std::string& s : wanted_sets)
    if (missing(sets, s)) throw error(graph_i + " has no vertex set " + quote(s) + ", which graph 0 has");
  for (const relation_names& r : wanted)
    if (missing(relations, r))
      throw error(graph_i + " has no relation " + quote(r.name) + " from " + quote(r.source) + " to " +
                  quote(r.destination) + ", which graph 0 has");
  for (const std::string& s : sets)
    if (missing(wanted_sets, s)) throw error(graph_i + " has vertex set " + quote(s) + ", which graph 0 has not");
  for (const relation_names& r : relations)
    if (missing(wanted, r)) throw error(graph_i + " has relation " + quote(r.name) + ", which graph 0 has not");
}

}  // namespace

std::span<const std::int64_t> graphs_union::offsets(std::string_view name) const& {
  for (const part_offsets& p : offsets_)
    if (p.name == name) return p.offsets;
  throw error("batch_graphs: the graphs have no vertex set or relation " + quote(name));
}

graphs_union::range graphs_union::range_of(std::string_view name, std::int64_t i, const dimensions& shape) const {
  const std::span<const std::int64_t> all = offsets(name);
  if (i < 0 || i >= count_)
    throw error("batch_graphs: graph " + std::to_string(i) + " of " + std::to_string(count_) + "; give 0 to " +
                std::to_string(count_ - 1));
  if (shape.rank() == 0 || shape[0] != all.back())
    throw error("batch_graphs: values of shape " + to_string(shape) + "; " + quote(name) + " has " +
                std::to_string(all.back()) + " rows in all graphs");
  return {all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i) + 1]};
}

graphs_union detail::unite(std::span<const graph> all, const relation_names& edges, const relation_names& readout) try {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].has_kinds() || graph_access::joins_two_sets(all[i]))
      throw error("batch_graphs: graph " + std::to_string(i) +
                  " is of several kinds; give all as stg::graphs, with a readout of each set");
  const part_offsets vertices = offsets_of(edges.source, all.size(), [&](std::size_t i) { return all[i].vertices(); });
  graphs g;
  add_vertices(g, vertices);
  g.add_vertices(readout.destination, static_cast<std::int64_t>(all.size()));
  g.add_edges(edges.name, edges.source, edges.destination, graph_access::side_by_side(all));
  add_readout(g, readout, vertices.offsets);
  return {std::move(g),
          static_cast<std::int64_t>(all.size()),
          {vertices, offsets_of(edges.name, all.size(), [&](std::size_t i) { return all[i].edges(); })}};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_union detail::unite(std::span<const graphs> all, std::span<const relation_names> readouts) try {
  if (all.empty()) throw error("batch_graphs: no graphs, so no vertex sets; give one at least");
  for (std::size_t i = 1; i < all.size(); ++i) check_kinds_of(all[i], i, all[0]);
  graphs g;
  std::vector<part_offsets> offsets;
  for (const std::string& set : all[0].vertex_sets()) {
    offsets.push_back(offsets_of(set, all.size(), [&](std::size_t i) { return all[i].vertices(set); }));
    add_vertices(g, offsets.back());
  }
  g.add_vertices(readouts[0].destination, static_cast<std::int64_t>(all.size()));
  for (const relation_names& r : all[0].relations()) {
    std::vector<graph> parts;
    for (const graphs& one : all) parts.push_back(one.relation(r.name));
    g.add_edges(r.name, r.source, r.destination, graph_access::side_by_side(parts));
    offsets.push_back(offsets_of(r.name, all.size(), [&](std::size_t i) { return parts[i].edges(); }));
  }
  const graphs_union known({}, 0, offsets);
  for (const relation_names& readout : readouts) add_readout(g, readout, known.offsets(readout.source));
  return {std::move(g), static_cast<std::int64_t>(all.size()), std::move(offsets)};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
