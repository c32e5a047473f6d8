// The part of a rank: its own rows and the halo, numbered anew, with edges in the whole graph's order.
#include <stg/distributed/distributed_graph.hpp>

#include <algorithm>  // sort
#include <cstring>    // memcpy
#include <limits>     // numeric_limits
#include <string>     // to_string
#include <vector>     // vector

#include <stg/base/error.hpp>  // error

#include "../runtime/graph/graph_state.hpp"  // graph::state, graph_access

namespace stg {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Makes the part of a rank.
class part_builder {
 public:
  part_builder(const cut& of, communicator& ranks)
      : cut_(of), whole_(of.whole()), in_(whole_.in_edges()), out_(whole_.out_edges()), mine_(new rank_rows) {
    if (ranks.size() > of.parts())
      throw error("distributed_graph: " + std::to_string(ranks.size()) + " ranks of a graph that is cut into " +
                  std::to_string(of.parts()) + " parts; cut it into more");
    mine_->ranks = &ranks;
    mine_->all_vertices = whole_.vertices();
    mine_->cut = static_cast<std::uint64_t>(whole_.edge_identity());
    for (const std::int32_t part : of.part_of())
      mine_->cut = detail::mixed(mine_->cut + static_cast<std::uint64_t>(part));
    const int size = ranks.size(), parts = of.parts();
    for (int r = 0; r <= size; ++r) mine_->first_block.push_back(cut::blocks * (parts * r / size) / parts);
    for (int b = 0; b < cut::blocks; ++b) mine_->block_has_rows.push_back(!of.block(b).empty());
    for (int p = 0; p < parts; ++p)
      for (int r = 0; r < size; ++r)
        if (p >= parts * r / size && p < parts * (r + 1) / size) rank_of_part_.push_back(r);
  }

  graph build() {
    find_own_rows();
    find_halo();
    const std::int64_t edges = own_edges_ + count_halo_edges();
    if (edges > std::numeric_limits<std::int32_t>::max())
      throw error("distributed_graph: rank " + std::to_string(rank()) + " has " + std::to_string(edges) +
                  " edges; a rank takes up to 2^31 - 1, use more ranks");
    to_->resize(rows(), edges);
    write_in_edges();
    write_out_edges();
    write_known_degrees();
    to_->finish();
    find_own_views();
    find_exchanged_rows();
    to_->ranks = std::move(mine_);
    return detail::graph_access::of(std::move(to_));
  }

 private:
  std::int64_t rows() const { return static_cast<std::int64_t>(to_->larger_vertices.size()); }
  int rank_of(std::int64_t vertex) const { return rank_of_part_[at(cut_.part_of()[at(vertex)])]; }
  int rank() const { return mine_->ranks->rank(); }
  bool is_own(std::int64_t row) const { return row < mine_->own_vertices; }
  std::int64_t global(std::int64_t row) const { return to_->larger_vertices[at(row)]; }

  void find_own_rows() {
    mine_->block_offsets.push_back(0);
    for (int b = mine_->first_block[at(rank())]; b < mine_->first_block[at(rank() + 1)]; ++b) {
      for (const std::int32_t v : cut_.block(b)) to_->larger_vertices.push_back(v);
      mine_->block_offsets.push_back(rows());
    }
    mine_->own_vertices = rows();
    row_of_.assign(at(whole_.vertices()), -1);
    for (std::int64_t r = 0; r < rows(); ++r) row_of_[at(global(r))] = static_cast<std::int32_t>(r);
  }
  /// Neighbours of own rows, by their rank and number.
  void find_halo() {
    std::vector<std::int32_t> found;
    for (std::int64_t r = 0; r < mine_->own_vertices; ++r)
      for (const adjacency* edges : {&in_, &out_})
        for (auto k = edges->begin(global(r)); k != edges->end(global(r)); ++k) {
          std::int32_t& there = row_of_[at(edges->neighbour(k))];
          if (there != -1) continue;
          there = -2;
          found.push_back(edges->neighbour(k));
        }
    std::sort(found.begin(), found.end(), [this](std::int32_t a, std::int32_t b) {
      const int of_a = rank_of(a), of_b = rank_of(b);
      return of_a != of_b ? of_a < of_b : a < b;
    });
    for (const std::int32_t v : found) {
      row_of_[at(v)] = static_cast<std::int32_t>(rows());
      to_->larger_vertices.push_back(v);
    }
    for (std::int64_t r = 0; r < mine_->own_vertices; ++r) own_edges_ += in_.degree(global(r));
    mine_->own_edges = own_edges_;
  }
  /// Of edges that end in the halo those that begin in own rows.
  std::int64_t count_halo_edges() const {
    std::int64_t n = 0;
    for (std::int64_t r = 0; r < mine_->own_vertices; ++r)
      for (auto k = out_.begin(global(r)); k != out_.end(global(r)); ++k) n += !is_own(row_of_[at(out_.neighbour(k))]);
    return n;
  }
  void write_in_edges() {
    edge_of_.assign(at(whole_.edges()), -1);
    to_->larger_edges.reserve(at(to_->edges));
    for (std::int64_t r = 0; r < rows(); ++r) {
      to_->in_offsets[at(r)] = next_edge();
      const std::int64_t v = global(r);
      for (auto k = in_.begin(v); k != in_.end(v); ++k) {
        const std::int32_t source = row_of_[at(in_.neighbour(k))];
        if (source < 0 || (!is_own(r) && !is_own(source))) continue;
        edge_of_[at(in_.edge_id(k))] = next_edge();
        to_->in_neighbours[at(next_edge())] = source;
        to_->larger_edges.push_back(in_.edge_id(k));
      }
      to_->in_degrees[at(r)] = static_cast<std::int32_t>(next_edge() - to_->in_offsets[at(r)]);
    }
    to_->in_offsets[at(rows())] = next_edge();
  }
  std::int64_t next_edge() const { return static_cast<std::int64_t>(to_->larger_edges.size()); }

  void write_out_edges() {
    std::int64_t place = 0;
    for (std::int64_t r = 0; r < rows(); ++r) {
      to_->out_offsets[at(r)] = place;
      const std::int64_t v = global(r);
      for (auto k = out_.begin(v); k != out_.end(v); ++k) {
        const std::int64_t id = edge_of_[at(out_.edge_id(k))];
        if (id < 0) continue;
        to_->out_neighbours[at(place)] = row_of_[at(out_.neighbour(k))];
        to_->out_ids[at(place++)] = id;
      }
      to_->out_degrees[at(r)] = static_cast<std::int32_t>(place - to_->out_offsets[at(r)]);
    }
    to_->out_offsets[at(rows())] = place;
  }
  void write_known_degrees() {
    std::int64_t into = 0, from = 0;
    for (std::int64_t r = 0; r <= rows(); ++r) {
      to_->known_degrees.push_back(into);
      to_->known_out_degrees.push_back(from);
      if (r == rows()) break;
      into += in_.degree(global(r));
      from += out_.degree(global(r));
    }
  }
  void find_own_views() {
    const auto own = [this](const adjacency& all, long_row_list& list) {
      find_long_rows(all.first_rows(mine_->own_vertices, {}), long_row_edges_of_host, list);
      return all.first_rows(mine_->own_vertices, list.view());
    };
    mine_->in = own(to_->in, mine_->in_long);
    mine_->out = own(to_->out, mine_->out_long);
    mine_->by_in = by_neighbours(mine_->in);
    mine_->by_out = by_neighbours(mine_->out);
  }
  rows_by_neighbours by_neighbours(const adjacency& own) const {
    constexpr std::int64_t most = 256;  // ranges of interior rows
    const std::int64_t least = own.rows() / most + 1;
    const auto is_interior = [&](std::int64_t r) {
      if (own.is_long(own.degree(r))) return false;
      for (auto k = own.begin(r); k != own.end(r); ++k)
        if (!is_own(own.neighbour(k))) return false;
      return true;
    };
    rows_by_neighbours found;
    std::int64_t boundary = 0;  // begins there
    for (std::int64_t first = 0, last = 0; first < own.rows(); first = last + 1) {
      for (last = first; last < own.rows() && is_interior(last);) ++last;
      if (last - first < least) continue;
      if (boundary < first) found.boundary.push_back({boundary, first});
      found.interior.push_back({first, last});
      boundary = last;
    }
    if (boundary < own.rows()) found.boundary.push_back({boundary, own.rows()});
    return found;
  }

  void find_exchanged_rows() {
    const std::size_t ranks = at(mine_->ranks->size());
    std::vector<exchanged_rows> vertices(ranks), made_in(ranks), made_out(ranks);
    std::vector<std::int32_t> sent_to(ranks, -1);
    for (std::int64_t r = mine_->own_vertices; r < rows(); ++r)
      vertices[at(rank_of(global(r)))].taken.push_back(static_cast<std::int32_t>(r));
    for (std::int64_t v = 0; v < whole_.vertices(); ++v) {  // ascending, as the halo of the others is
      const std::int32_t r = row_of_[at(v)];
      if (r < 0 || !is_own(r)) continue;
      for (const adjacency* edges : {&in_, &out_})
        for (auto k = edges->begin(v); k != edges->end(v); ++k) {
          const std::size_t other = at(rank_of(edges->neighbour(k)));
          if (static_cast<int>(other) == rank() || sent_to[other] == r) continue;
          sent_to[other] = r;
          vertices[other].sent.push_back(r);
        }
    }
    for (std::int64_t e = 0; e < whole_.edges(); ++e) {  // ids are places by destination
      if (edge_of_[at(e)] < 0) continue;
      const auto id = static_cast<std::int32_t>(edge_of_[at(e)]);
      const std::int32_t source = to_->in_neighbours[at(id)];
      const std::int64_t destination = row_of_destination(id);
      if (is_own(source) && is_own(destination)) continue;
      const std::size_t other = at(rank_of(global(is_own(source) ? destination : source)));
      (is_own(destination) ? made_in[other].sent : made_in[other].taken).push_back(id);
      (is_own(source) ? made_out[other].sent : made_out[other].taken).push_back(id);
    }
    keep_used(vertices, mine_->vertices);
    keep_used(made_in, mine_->edges_made_in);
    keep_used(made_out, mine_->edges_made_out);
  }
  std::int64_t row_of_destination(std::int64_t id) const {
    const auto& offsets = to_->in_offsets;
    return std::upper_bound(offsets.begin(), offsets.end(), id) - offsets.begin() - 1;
  }
  static void keep_used(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to) {
    for (std::size_t other = 0; other < by_rank.size(); ++other) {
      by_rank[other].with = static_cast<int>(other);
      if (!by_rank[other].sent.empty() || !by_rank[other].taken.empty()) to.push_back(std::move(by_rank[other]));
    }
  }

  const cut& cut_;
  const graph& whole_;
  adjacency in_, out_;
  std::vector<int> rank_of_part_{};
  std::vector<std::int32_t> row_of_{};   // by vertex of the whole graph; -1: none
  std::vector<std::int64_t> edge_of_{};  // by its edge; -1: none
  std::int64_t own_edges_ = 0;
  std::unique_ptr<rank_rows> mine_;
  std::shared_ptr<graph::state> to_ = std::make_shared<graph::state>();
};

}  // namespace

distributed_graph::distributed_graph(const cut& of, communicator& ranks)
    : graph(part_builder(of, ranks).build()), cut_(of), part_(graph::ranks()) {}

communicator& distributed_graph::ranks() const { return *part_->ranks; }
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
    throw error("distributed_graph: rows of a tensor of shape " + to_string(shape) +
                (lies.is_host() ? "" : " on a device") + "; give one on the host with a row for each of the " +
                std::to_string(all_vertices()) + " vertices of the whole graph");
}
void distributed_graph::check_steps_of_all(const dimensions& shape, location lies) const {
  if (!lies.is_host() || shape.rank() < 2 || shape[1] != all_vertices())
    throw error("distributed_graph: rows of steps of a tensor of shape " + to_string(shape) +
                (lies.is_host() ? "" : " on a device") + "; give one on the host, (steps, vertices, ...), of the " +
                std::to_string(all_vertices()) + " vertices of the whole graph");
}
void distributed_graph::check_rows_of_part(const dimensions& shape, location lies) const {
  if (!lies.is_host() || shape.rank() == 0 || shape[0] != vertices())
    throw error("distributed_graph: a tensor of shape " + to_string(shape) + (lies.is_host() ? "" : " on a device") +
                " is gathered; give one on the host with a row for each of the " + std::to_string(vertices()) +
                " vertices of the part");
}
void distributed_graph::check_edges_of_all(stg::edge_identity of) const {
  if (of != cut_.whole().edge_identity())
    throw error("distributed_graph: edge values of another graph than the one that is cut");
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
  const std::uint64_t tag = ranks().next_tag();
  const int mine = ranks().rank(), count = ranks().size();
  std::vector<std::vector<std::byte>> theirs(at(count));
  const auto each_block_row = [&](int rank, const auto& body) {
    for (int b = part_->first_block[at(rank)]; b < part_->first_block[at(rank + 1)]; ++b)
      for (const std::int32_t v : cut_.block(b)) body(v);
  };
  for (int other = 0; other < count; ++other) {
    if (other == mine) continue;
    std::int64_t rows = 0;
    each_block_row(other, [&](std::int32_t) { ++rows; });
    theirs[at(other)].resize(at(rows * row));
    ranks().expect(other, tag, theirs[at(other)].data(), rows * row);
    ranks().send(other, tag, from, own_vertices() * row);
  }
  for (int other = 0; other < count; ++other) {
    const std::byte* next = from;
    if (other != mine) {
      ranks().receive(other, tag);
      next = theirs[at(other)].data();
    }
    each_block_row(other, [&](std::int32_t v) {
      std::memcpy(to + v * row, next, at(row));
      next += row;
    });
  }
}

}  // namespace stg
