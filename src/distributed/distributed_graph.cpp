// What a rank asks of its part: rows of tensors, and tensors of all vertices.
#include <stg/distributed/distributed_graph.hpp>

#include <cstring>  // memcpy
#include <string>   // to_string
#include <vector>   // vector

#include <stg/base/error.hpp>  // error

#include "../sampling/vertex_numbers.hpp"  // at
#include "cut_state.hpp"                   // cut_access
#include "part_builder.hpp"                // build_part
#include "part_rows.hpp"                   // edges_of_all, gather_rows
#include "whole_rows.hpp"                  // add_whole_rows

namespace stg {

using detail::at;

namespace {

/// The part of a rank, with the whole graph where sweeps are cut by features.
graph part_of(const cut& of, communicator& ranks, cut_by by) {
  graph_part part = distributed::build_part(of, ranks, distributed::edges_of_all(of.whole()));
  if (by != cut_by::rows) distributed::add_whole_rows(of, by, part);
  return part.take();
}

}  // namespace

distributed_graph::distributed_graph(const cut& of, communicator& ranks, cut_by by)
    : distributed_graph(of, part_of(of, ranks, by)) {}
distributed_graph::distributed_graph(const cut& of, graph part)
    : graph(std::move(part)), cut_(of), part_(graph::ranks()) {}

communicator& distributed_graph::ranks() const { return *part_->ranks; }
vertex_owners distributed_graph::owners() const { return {cut_, ranks()}; }
std::int64_t distributed_graph::own_vertices() const { return part_->own_vertices; }
std::int64_t distributed_graph::all_vertices() const { return part_->all_vertices; }
std::span<const std::int32_t> distributed_graph::global_vertices() const& {
  return {in_edges().global_rows(), at(vertices())};
}

dimensions distributed_graph::with_rows(const dimensions& of, std::int64_t rows, int axis) {
  std::vector<std::int64_t> extents(of.begin(), of.end());
  extents[at(axis)] = rows;
  return dimensions(extents);
}

void distributed_graph::check_rows_of_all(const dimensions& shape, location lies) const {
  if (!lies.is_host() || shape.rank() == 0 || shape[0] != all_vertices())
    throw error("part of a cut graph: rows of a tensor of shape " + to_string(shape) +
                (lies.is_host() ? "" : " on a device") + "; give one on the host with a row for each of the " +
                std::to_string(all_vertices()) + " vertices of the whole graph");
}
void distributed_graph::check_steps_of_all(const dimensions& shape, location lies) const {
  if (!lies.is_host() || shape.rank() < 2 || shape[1] != all_vertices())
    throw error("part of a cut graph: rows of steps of a tensor of shape " + to_string(shape) +
                (lies.is_host() ? "" : " on a device") + "; give one on the host, (steps, vertices, ...), of the " +
                std::to_string(all_vertices()) + " vertices of the whole graph");
}
void distributed_graph::check_rows_of_part(const dimensions& shape, location lies) const {
  if (!lies.is_host() || shape.rank() == 0 || shape[0] != vertices())
    throw error("part of a cut graph: a tensor of shape " + to_string(shape) + (lies.is_host() ? "" : " on a device") +
                " is gathered; give one on the host with a row for each of the " + std::to_string(vertices()) +
                " vertices of the part");
}
void distributed_graph::check_edges_of_all(stg::edge_identity of) const {
  if (static_cast<std::uint64_t>(of) != detail::cut_access::state_of(cut_).edge_identity)
    throw error("part of a cut graph: edge values of another graph than the one that is cut");
}

void distributed_graph::take_rows(const std::byte* from, std::byte* to, std::int64_t bytes) const {
  if (bytes == 0) return;
  const std::int64_t row = bytes / vertices();
  const std::span<const std::int32_t> ids = global_vertices();
  for (std::size_t r = 0; r < ids.size(); ++r, to += row) std::memcpy(to, from + ids[r] * row, at(row));
}
void distributed_graph::take_edges(const std::byte* from, std::byte* to, std::int64_t bytes) const {
  if (bytes == 0) return;
  const std::int64_t row = bytes / edges();
  for (std::int64_t e = 0; e < edges(); ++e, to += row)
    std::memcpy(to, from + in_edges().global_edge(e) * row, at(row));
}

void distributed_graph::gather(const std::byte* from, std::int64_t row, std::byte* to) const {
  distributed::gather_rows(cut_, "", *part_, from, row, to);
}

}  // namespace stg
