// Own rows and the halo, numbered anew, with edges in the whole graph's order.
#include "part_builder.hpp"

#include <algorithm>  // lower_bound, sort, upper_bound
#include <limits>     // numeric_limits
#include <memory>     // make_shared, shared_ptr, unique_ptr
#include <string>     // to_string
#include <tuple>      // tie
#include <utility>    // move
#include <vector>     // vector

#include <stg/base/error.hpp>  // error

#include "../runtime/graph/graph_state.hpp"  // graph::state, graph_access
#include "../sampling/vertex_numbers.hpp"    // at
#include "cut_state.hpp"                     // check_ranks, cut_access

namespace stg::detail {

namespace {

/// Makes the part of a rank.
class part_builder {
 public:
  part_builder(const cut& of, communicator& ranks, const edges_of_vertices& edges)
      : all_(cut_access::state_of(of)),
        cut_(all_.plain()),
        edges_(edges),
        in_(edges.in),
        out_(edges.out),
        mine_(new rank_rows) {
    if (all_.whole.has_kinds())
      throw error("part of a cut graph: the cut is of several vertex sets; write distributed_graphs");
    check_ranks("part of a cut graph", of, ranks);
    mine_->ranks = &ranks;
    mine_->all_vertices = all_.vertices;
    mine_->all_edges = all_.edges;
    mine_->cut = all_.number;
    mine_->first_block = first_blocks_of(of, ranks.size());
    for (int b = 0; b < cut::blocks; ++b)
      mine_->block_has_rows.push_back(cut_.block_offsets[at(b)] < cut_.block_offsets[at(b + 1)]);
    rank_of_part_ = ranks_of_parts(of, ranks.size());
  }

  /// The vertices of other ranks that an edge joins with an own one.
  std::vector<std::int32_t> neighbours() {
    find_own_rows();
    return find_neighbours();
  }
  /// halo: of several graphs, the neighbours in any of them; null: of this one.
  graph_part build(const std::vector<std::int32_t>* halo) {
    find_own_rows();
    add_halo(halo == nullptr ? find_neighbours() : *halo);
    find_edges_of_halo();
    const std::int64_t edges = mine_->own_edges + static_cast<std::int64_t>(into_halo_.size());
    if (edges > std::numeric_limits<std::int32_t>::max())
      throw error("part of a cut graph: rank " + std::to_string(rank()) + " has " + std::to_string(edges) +
                  " edges; a rank takes up to 2^31 - 1, use more ranks");
    to_->resize(rows(), edges);
    write_in_edges();
    write_out_edges();
    write_known_degrees();
    to_->finish();
    find_own_views();
    find_exchanged_vertices();
    find_exchanged_edges();
    to_->messages = mine_->ranks;
    return {std::move(to_), std::move(mine_)};
  }

 private:
  /// An edge between an own row and one of the halo, by the latter.
  struct halo_edge {
    std::int32_t halo, own;  // rows
    std::int64_t id;         // in the whole graph
    std::int64_t here = 0;   // in the part
    bool operator<(const halo_edge& other) const { return std::tie(halo, id) < std::tie(other.halo, other.id); }
  };

  std::int64_t rows() const { return static_cast<std::int64_t>(to_->larger_vertices.size()); }
  int rank_of(std::int64_t vertex) const { return rank_of_part_[at(cut_.part_of[at(vertex)])]; }
  int rank() const { return mine_->ranks->rank(); }
  bool is_own(std::int64_t row) const { return row < mine_->own_vertices; }
  std::int64_t global(std::int64_t row) const { return to_->larger_vertices[at(row)]; }
  /// body(position) for the edges of an own row.
  template <class Body> void each_edge(const adjacency& of, std::int64_t row, const Body& body) const {
    const std::int64_t r = edges_.are_of_own_rows ? row : global(row);
    for (auto k = of.begin(r); k != of.end(r); ++k) body(k);
  }

  void find_own_rows() {
    mine_->block_offsets.push_back(0);
    for (int b = mine_->first_block[at(rank())]; b < mine_->first_block[at(rank() + 1)]; ++b) {
      for (std::int64_t k = cut_.block_offsets[at(b)]; k < cut_.block_offsets[at(b + 1)]; ++k)
        to_->larger_vertices.push_back(cut_.by_block[at(k)]);
      mine_->block_offsets.push_back(rows());
    }
    mine_->own_vertices = rows();
    row_of_.assign(at(all_.vertices), -1);
    for (std::int64_t r = 0; r < rows(); ++r) row_of_[at(global(r))] = static_cast<std::int32_t>(r);
  }
  std::vector<std::int32_t> find_neighbours() {
    std::vector<std::int32_t> found;
    for (std::int64_t r = 0; r < mine_->own_vertices; ++r)
      for (const adjacency* edges : {&in_, &out_})
        each_edge(*edges, r, [&](std::int64_t k) {
          std::int32_t& there = row_of_[at(edges->neighbour(k))];
          if (there != -1) return;
          there = -2;
          found.push_back(edges->neighbour(k));
        });
    return found;
  }
  /// The halo's rows, by their rank and number.
  void add_halo(std::vector<std::int32_t> found) {
    std::sort(found.begin(), found.end(), [this](std::int32_t a, std::int32_t b) {
      const int of_a = rank_of(a), of_b = rank_of(b);
      return of_a != of_b ? of_a < of_b : a < b;
    });
    for (const std::int32_t v : found) {
      row_of_[at(v)] = static_cast<std::int32_t>(rows());
      to_->larger_vertices.push_back(v);
    }
  }
  /// Edges from own rows into the halo, and from the halo into own rows: in the halo's order of rows and ids.
  void find_edges_of_halo() {
    std::int64_t within = 0;  // by the edges that leave own rows, less those that enter them
    for (std::int64_t r = 0; r < mine_->own_vertices; ++r) {
      const auto own = static_cast<std::int32_t>(r);
      each_edge(out_, r, [&](std::int64_t k) {
        const std::int32_t to = row_of_[at(out_.neighbour(k))];
        if (!is_own(to)) into_halo_.push_back({to, own, out_.edge_id(k)});
        else ++within;
      });
      each_edge(in_, r, [&](std::int64_t k) {
        const std::int32_t from = row_of_[at(in_.neighbour(k))];
        if (!is_own(from)) from_halo_.push_back({from, own, in_.edge_id(k), mine_->own_edges});
        else --within;
        ++mine_->own_edges;
      });
    }
    if (within != 0) edges_disagree();
    std::sort(into_halo_.begin(), into_halo_.end());
    std::sort(from_halo_.begin(), from_halo_.end());
    for (std::size_t i = 0; i < into_halo_.size(); ++i)
      into_halo_[i].here = mine_->own_edges + static_cast<std::int64_t>(i);
  }

  void write_in_edges() {
    to_->larger_edges.reserve(at(to_->edges));
    const auto write = [&](std::int32_t source, std::int64_t id) {
      to_->in_neighbours[to_->larger_edges.size()] = source;
      to_->larger_edges.push_back(id);
    };
    auto next = into_halo_.begin();
    for (std::int64_t r = 0; r < rows(); ++r) {
      const auto first = static_cast<std::int64_t>(to_->larger_edges.size());
      to_->in_offsets[at(r)] = first;
      if (is_own(r)) each_edge(in_, r, [&](std::int64_t k) { write(row_of_[at(in_.neighbour(k))], in_.edge_id(k)); });
      for (; next != into_halo_.end() && next->halo == r; ++next) write(next->own, next->id);
      to_->in_degrees[at(r)] = static_cast<std::int32_t>(static_cast<std::int64_t>(to_->larger_edges.size()) - first);
    }
    to_->in_offsets[at(rows())] = static_cast<std::int64_t>(to_->larger_edges.size());
  }
  /// The number of an edge from an own row, in the part. Edges into an own row are all there, with consecutive ids.
  std::int64_t here(std::int32_t destination, std::int64_t id) const {
    if (!is_own(destination))
      return std::lower_bound(into_halo_.begin(), into_halo_.end(), halo_edge{destination, 0, id})->here;
    const std::int64_t first = to_->in_offsets[at(destination)], last = to_->in_offsets[at(destination) + 1];
    if (first == last) edges_disagree();
    const std::int64_t found = first + id - to_->larger_edges[at(first)];
    if (found < first || found >= last) edges_disagree();
    return found;
  }
  /// Of files.
  [[noreturn]] static void edges_disagree() {
    throw error("part of a cut graph: edges from vertices of a part are not those into its vertices; write it anew");
  }
  void write_out_edges() {
    std::int64_t place = 0;
    const auto write = [&](std::int32_t destination, std::int64_t id) {
      to_->out_neighbours[at(place)] = destination;
      to_->out_ids[at(place++)] = id;
    };
    auto next = from_halo_.begin();
    for (std::int64_t r = 0; r < rows(); ++r) {
      const std::int64_t first = place;
      to_->out_offsets[at(r)] = first;
      if (is_own(r))
        each_edge(out_, r, [&](std::int64_t k) {
          const std::int32_t to = row_of_[at(out_.neighbour(k))];
          write(to, here(to, out_.edge_id(k)));
        });
      for (; next != from_halo_.end() && next->halo == r; ++next) write(next->own, next->here);
      to_->out_degrees[at(r)] = static_cast<std::int32_t>(place - first);
    }
    to_->out_offsets[at(rows())] = place;
  }
  void write_known_degrees() {
    std::int64_t into = 0, from = 0;
    for (std::int64_t r = 0; r <= rows(); ++r) {
      to_->known_degrees.push_back(into);
      to_->known_out_degrees.push_back(from);
      if (r == rows()) break;
      into += edges_.in_degrees[at(global(r))];
      from += edges_.out_degrees[at(global(r))];
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

  void find_exchanged_vertices() {
    const std::size_t ranks = at(mine_->ranks->size());
    std::vector<exchanged_rows> by_rank(ranks);
    std::vector<std::int32_t> sent_to(ranks, -1), own(at(mine_->own_vertices));
    for (std::int64_t r = mine_->own_vertices; r < rows(); ++r)
      if (to_->in_degrees[at(r)] + to_->out_degrees[at(r)] > 0)  // or an edge of another step joins it
        by_rank[at(rank_of(global(r)))].taken.push_back(static_cast<std::int32_t>(r));
    for (std::size_t r = 0; r < own.size(); ++r) own[r] = static_cast<std::int32_t>(r);
    std::sort(own.begin(), own.end(), [this](std::int32_t a, std::int32_t b) { return global(a) < global(b); });
    for (const std::int32_t r : own)  // ascending, as the halo of the others is
      for (const adjacency* edges : {&in_, &out_})
        each_edge(*edges, r, [&](std::int64_t k) {
          const std::size_t other = at(rank_of(edges->neighbour(k)));
          if (static_cast<int>(other) == rank() || sent_to[other] == r) return;
          sent_to[other] = r;
          by_rank[other].sent.push_back(r);
        });
    keep_those_with_any(by_rank, mine_->vertices);
  }
  void find_exchanged_edges() {
    const std::size_t ranks = at(mine_->ranks->size());
    std::vector<exchanged_rows> made_in(ranks), made_out(ranks);
    std::vector<halo_edge> all = into_halo_;
    const std::int64_t first_into_halo = mine_->own_edges;
    all.insert(all.end(), from_halo_.begin(), from_halo_.end());
    std::sort(all.begin(), all.end(), [](const halo_edge& a, const halo_edge& b) { return a.id < b.id; });
    for (const halo_edge& e : all) {
      const std::size_t other = at(rank_of(global(e.halo)));
      const bool comes_in = e.here < first_into_halo;
      const auto id = static_cast<std::int32_t>(e.here);
      (comes_in ? made_in[other].sent : made_in[other].taken).push_back(id);
      (comes_in ? made_out[other].taken : made_out[other].sent).push_back(id);
    }
    keep_those_with_any(made_in, mine_->edges_made_in);
    keep_those_with_any(made_out, mine_->edges_made_out);
  }
  const cut_access::state& all_;
  const cut_set& cut_;
  const edges_of_vertices& edges_;
  const adjacency &in_, &out_;
  std::vector<int> rank_of_part_{};
  std::vector<std::int32_t> row_of_{};  // by vertex of the whole graph; -1: none
  std::vector<halo_edge> into_halo_{}, from_halo_{};
  std::unique_ptr<rank_rows> mine_;
  std::shared_ptr<graph::state> to_ = std::make_shared<graph::state>();
};

}  // namespace

graph_part build_part(const cut& of, communicator& ranks, const edges_of_vertices& edges,
                      const std::vector<std::int32_t>* halo) {
  return part_builder(of, ranks, edges).build(halo);
}
std::vector<std::int32_t> neighbours_of_part(const cut& of, communicator& ranks, const edges_of_vertices& edges) {
  return part_builder(of, ranks, edges).neighbours();
}

}  // namespace stg::detail

namespace stg {

void keep_those_with_any(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to) {
  for (std::size_t other = 0; other < by_rank.size(); ++other) {
    by_rank[other].with = static_cast<int>(other);
    if (!by_rank[other].sent.empty() || !by_rank[other].taken.empty()) to.push_back(std::move(by_rank[other]));
  }
}
graph graph_part::take() {
  edges->ranks = std::move(rows);
  return detail::graph_access::of(std::move(edges));
}

}  // namespace stg
