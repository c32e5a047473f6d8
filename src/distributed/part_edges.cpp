// Edges of a rank in the whole graph's order, from edges of own rows alone: files have no others.
#include "part_edges.hpp"

#include <algorithm>  // sort
#include <limits>     // numeric_limits
#include <memory>     // make_shared, make_unique, shared_ptr
#include <tuple>      // tie
#include <utility>    // move
#include <vector>     // vector

#include <stg/base/error.hpp>  // error

#include "../sampling/vertex_numbers.hpp"  // at

namespace stg::distributed {

namespace {

using detail::at;

/// Writes the edges of a rank.
class edge_writer {
 public:
  edge_writer(const edges_of_vertices& edges, part_rows& from, part_rows& into, bool joins_two_sets)
      : edges_(edges), in_(edges.in), out_(edges.out), from_(from), into_(into) {
    to_->joins_two_sets = joins_two_sets;
    into_.write_sizes(*mine_);
  }

  graph_part write(const std::string& of) {
    find_edges_of_halo();
    const std::int64_t edges = mine_->own_edges + static_cast<std::int64_t>(into_halo_.size());
    if (edges > std::numeric_limits<std::int32_t>::max())
      throw error("part of a cut graph: rank " + std::to_string(into_.rank()) + " has " + std::to_string(edges) +
                  " edges" + of + "; a rank takes up to 2^31 - 1, use more ranks");
    to_->resize_between(from_.rows(), into_.rows(), edges);
    to_->larger_vertices = into_.global_rows();
    if (to_->joins_two_sets) to_->larger_sources = from_.global_rows();
    write_in_edges();
    write_out_edges();
    write_known_degrees(edges_.in_degrees, into_, to_->known_degrees);
    write_known_degrees(edges_.out_degrees, from_, to_->known_out_degrees);
    to_->finish();
    mine_->in = own_view(to_->in, into_, mine_->in_long);
    mine_->out = own_view(to_->out, from_, mine_->out_long);
    mine_->by_in = by_neighbours(mine_->in, from_);
    mine_->by_out = by_neighbours(mine_->out, into_);
    write_exchanged();
    return {std::move(to_), std::move(mine_)};
  }

 private:
  /// An edge between an own row and one of the halo, by the latter.
  struct halo_edge {
    std::int32_t halo, own;  // rows
    std::int64_t id;         // in the whole graph
    std::int64_t here = 0;   // in the part; of an edge into the halo the place at which it was found, until it has one
    bool operator<(const halo_edge& other) const { return std::tie(halo, id) < std::tie(other.halo, other.id); }
  };

  /// body(position) for the edges of an own row.
  template <class Body>
  void each_edge(const adjacency& of, const part_rows& rows, std::int64_t own, const Body& body) const {
    const std::int64_t r = edges_.are_of_own_rows ? own : rows.global(own);
    for (auto k = of.begin(r); k != of.end(r); ++k) body(k);
  }
  std::int64_t next_edge() const { return static_cast<std::int64_t>(to_->larger_edges.size()); }

  /// Edges from own rows into the halo, and from the halo into own rows: in the halo's order of rows and ids.
  void find_edges_of_halo() {
    std::int64_t within = 0;  // by the edges that leave own rows, less those that enter them
    for (std::int64_t r = 0; r < from_.own_rows(); ++r)
      each_edge(out_, from_, r, [&](std::int64_t k) {
        const std::int32_t to = into_.row_of(out_.neighbour(k));
        if (into_.is_own(to)) return void(++within);
        into_halo_.push_back(
            {to, static_cast<std::int32_t>(r), out_.edge_id(k), static_cast<std::int64_t>(into_halo_.size())});
        from_.send(r, into_.rank_of_row(to));
        into_.take(to);
      });
    for (std::int64_t r = 0; r < into_.own_rows(); ++r)
      each_edge(in_, into_, r, [&](std::int64_t k) {
        const std::int64_t here = mine_->own_edges++;
        const std::int32_t from = from_.row_of(in_.neighbour(k));
        if (from_.is_own(from)) return void(--within);
        from_halo_.push_back({from, static_cast<std::int32_t>(r), in_.edge_id(k), here});
        into_.send(r, from_.rank_of_row(from));
        from_.take(from);
      });
    if (within != 0) edges_disagree();
    std::sort(into_halo_.begin(), into_halo_.end());
    std::sort(from_halo_.begin(), from_halo_.end());
    numbers_into_halo_.resize(into_halo_.size());
    for (std::size_t i = 0; i < into_halo_.size(); ++i) {
      const std::int64_t here = mine_->own_edges + static_cast<std::int64_t>(i);
      numbers_into_halo_[at(into_halo_[i].here)] = here;
      into_halo_[i].here = here;
    }
  }

  void write_in_edges() {
    to_->larger_edges.reserve(at(to_->edges));
    const auto write = [&](std::int32_t source, std::int64_t id) {
      to_->in_neighbours[to_->larger_edges.size()] = source;
      to_->larger_edges.push_back(id);
    };
    auto next = into_halo_.begin();
    for (std::int64_t r = 0; r < into_.rows(); ++r) {
      const std::int64_t first = next_edge();
      to_->in_offsets[at(r)] = first;
      if (into_.is_own(r))
        each_edge(in_, into_, r, [&](std::int64_t k) { write(from_.row_of(in_.neighbour(k)), in_.edge_id(k)); });
      for (; next != into_halo_.end() && next->halo == r; ++next) write(next->own, next->id);
      to_->in_degrees[at(r)] = static_cast<std::int32_t>(next_edge() - first);
    }
    to_->in_offsets[at(into_.rows())] = next_edge();
  }
  /// The number of an edge between own rows, in the part. Edges into an own row are all there, with consecutive ids.
  std::int64_t here(std::int32_t destination, std::int64_t id) const {
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
    auto into_halo = numbers_into_halo_.begin();  // edges into the halo come in the order in which they were found
    for (std::int64_t r = 0; r < from_.rows(); ++r) {
      const std::int64_t first = place;
      to_->out_offsets[at(r)] = first;
      if (from_.is_own(r))
        each_edge(out_, from_, r, [&](std::int64_t k) {
          const std::int32_t to = into_.row_of(out_.neighbour(k));
          write(to, into_.is_own(to) ? here(to, out_.edge_id(k)) : *into_halo++);
        });
      for (; next != from_halo_.end() && next->halo == r; ++next) write(next->own, next->here);
      to_->out_degrees[at(r)] = static_cast<std::int32_t>(place - first);
    }
    to_->out_offsets[at(from_.rows())] = place;
  }
  static void write_known_degrees(const std::int32_t* degrees, const part_rows& rows, std::vector<std::int64_t>& to) {
    std::int64_t before = 0;
    for (std::int64_t r = 0; r < rows.rows(); ++r) {
      to.push_back(before);
      before += degrees[rows.global(r)];
    }
    to.push_back(before);
  }

  static adjacency own_view(const adjacency& all, const part_rows& rows, long_row_list& list) {
    find_long_rows(all.first_rows(rows.own_rows(), {}), long_row_edges_of_host, list);
    return all.first_rows(rows.own_rows(), list.view());
  }
  /// Own rows by whether all of their neighbours, which are of another set or of the same, are own ones.
  static rows_by_neighbours by_neighbours(const adjacency& own, const part_rows& others) {
    constexpr std::int64_t most = 256;  // ranges of interior rows
    const std::int64_t least = own.rows() / most + 1;
    const auto is_interior = [&](std::int64_t r) {
      if (own.is_long(own.degree(r))) return false;
      for (auto k = own.begin(r); k != own.end(r); ++k)
        if (!others.is_own(own.neighbour(k))) return false;
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

  /// Of the edges that join two ranks, by the whole graph's numbers on both.
  void write_exchanged() {
    struct joining {
      std::int64_t id, here;
      int other;
      bool comes_in;
    };
    std::vector<joining> all;
    all.reserve(into_halo_.size() + from_halo_.size());
    for (const halo_edge& e : into_halo_) all.push_back({e.id, e.here, into_.rank_of_row(e.halo), false});
    for (const halo_edge& e : from_halo_) all.push_back({e.id, e.here, from_.rank_of_row(e.halo), true});
    std::sort(all.begin(), all.end(), [](const joining& a, const joining& b) { return a.id < b.id; });
    const std::size_t ranks = at(into_.ranks().size());
    std::vector<exchanged_rows> made_in(ranks), made_out(ranks);
    for (const joining& e : all) {
      exchanged_rows &in = made_in[at(e.other)], &out = made_out[at(e.other)];
      (e.comes_in ? in.sent : in.taken).push_back(static_cast<std::int32_t>(e.here));
      (e.comes_in ? out.taken : out.sent).push_back(static_cast<std::int32_t>(e.here));
    }
    keep_those_with_any(made_in, mine_->edges_made_in);
    keep_those_with_any(made_out, mine_->edges_made_out);
  }

  const edges_of_vertices& edges_;
  const adjacency &in_, &out_;
  part_rows &from_, &into_;
  std::vector<halo_edge> into_halo_{}, from_halo_{};
  std::vector<std::int64_t> numbers_into_halo_{};  // in the part, of edges in the order in which they were found
  std::unique_ptr<rank_rows> mine_ = std::make_unique<rank_rows>();
  std::shared_ptr<graph::state> to_ = std::make_shared<graph::state>();
};

}  // namespace

graph_part part_of_edges(const edges_of_vertices& edges, part_rows& sources, part_rows& destinations,
                         bool joins_two_sets, const std::string& of) {
  return edge_writer(edges, sources, destinations, joins_two_sets).write(of);
}

}  // namespace stg::distributed
