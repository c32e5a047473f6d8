// Rows and edges of a rank, with edges in the whole graph's order.
#include "part_rows.hpp"

#include <algorithm>  // sort, unique, upper_bound
#include <cstring>    // memcpy
#include <limits>     // numeric_limits
#include <string>     // to_string
#include <utility>    // move

#include <stg/base/error.hpp>  // error

#include "cut_state.hpp"   // first_blocks_of, ranks_of_parts
#include "graph_part.hpp"  // keep_those_with_any

namespace stg::distributed {

// ---- rows ----

part_rows::part_rows(const cut& of, std::string_view set, communicator& ranks)
    : ranks_(&ranks),
      part_of_(of.part_of(set)),
      rank_of_part_(detail::ranks_of_parts(of, ranks.size())),
      first_block_(detail::first_blocks_of(of, ranks.size())),
      sent_to_(at(ranks.size())) {
  for (int b = 0; b < cut::blocks; ++b) block_has_rows_.push_back(!of.block(set, b).empty());
  for (int b = first_block_[at(rank())]; b < first_block_[at(rank() + 1)]; ++b) {
    for (const std::int32_t v : of.block(set, b)) global_.push_back(v);
    block_offsets_.push_back(rows());
  }
  row_of_.assign(part_of_.size(), -1);
  for (std::int64_t r = 0; r < rows(); ++r) row_of_[at(global(r))] = static_cast<std::int32_t>(r);
}

void part_rows::add_ends(const part_rows& owners, const adjacency& edges) {
  for (std::int64_t r = 0; r < owners.own_rows(); ++r)
    for (auto k = edges.begin(owners.global(r)); k != edges.end(owners.global(r)); ++k) {
      std::int32_t& there = row_of_[at(edges.neighbour(k))];
      if (there != -1) continue;
      there = -2;
      global_.push_back(edges.neighbour(k));
    }
}

void part_rows::number_halo() {
  std::sort(global_.begin() + own_rows(), global_.end(), [this](std::int32_t a, std::int32_t b) {
    const int of_a = rank_of(a), of_b = rank_of(b);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  for (std::int64_t r = own_rows(); r < rows(); ++r) row_of_[at(global(r))] = static_cast<std::int32_t>(r);
}

void part_rows::send_to(const part_rows& ends, const adjacency& edges) {
  for (std::int64_t r = 0; r < own_rows(); ++r)
    for (auto k = edges.begin(global(r)); k != edges.end(global(r)); ++k) {
      const int other = ends.rank_of(edges.neighbour(k));
      std::vector<std::int32_t>& sent = sent_to_[at(other)];
      if (other != rank() && (sent.empty() || sent.back() != global(r))) sent.push_back(global(r));
    }
}

void part_rows::write_exchanged(rank_rows& to) {
  std::vector<exchanged_rows> by_rank(sent_to_.size());
  for (std::int64_t r = own_rows(); r < rows(); ++r)
    by_rank[at(rank_of(global(r)))].taken.push_back(static_cast<std::int32_t>(r));
  for (std::size_t other = 0; other < by_rank.size(); ++other) {
    std::vector<std::int32_t>& sent = sent_to_[other];
    std::sort(sent.begin(), sent.end());  // ascending, as the halo of the other is
    sent.erase(std::unique(sent.begin(), sent.end()), sent.end());
    for (const std::int32_t v : sent) by_rank[other].sent.push_back(row_of(v));
  }
  sent_to_.clear();
  keep_those_with_any(by_rank, to.vertices);
}

void part_rows::write_sizes(rank_rows& to) const {
  to.ranks = ranks_;
  to.own_vertices = own_rows();
  to.all_vertices = static_cast<std::int64_t>(part_of_.size());
  to.block_offsets = block_offsets_;
  to.first_block = first_block_;
  to.block_has_rows = block_has_rows_;
}

// ---- edges ----

namespace {

/// Writes the edges of a rank.
class edge_writer {
 public:
  edge_writer(const graph& whole, const part_rows& from, const part_rows& into, std::unique_ptr<rank_rows> mine)
      : in_(whole.in_edges()), out_(whole.out_edges()), from_(from), into_(into), mine_(std::move(mine)) {
    to_->joins_two_sets = detail::graph_access::joins_two_sets(whole);
    edge_of_.assign(at(whole.edges()), -1);
  }

  std::shared_ptr<graph::state> write(const std::string& name) {
    for (std::int64_t r = 0; r < into_.own_rows(); ++r) mine_->own_edges += in_.degree(into_.global(r));
    const std::int64_t edges = mine_->own_edges + count_halo_edges();
    if (edges > std::numeric_limits<std::int32_t>::max())
      throw error("part of a cut graph: rank " + std::to_string(into_.rank()) + " has " + std::to_string(edges) +
                  " edges" + name + "; a rank takes up to 2^31 - 1, use more ranks");
    to_->resize_between(from_.rows(), into_.rows(), edges);
    to_->larger_vertices = into_.global_rows();
    if (to_->joins_two_sets) to_->larger_sources = from_.global_rows();
    write_in_edges();
    write_out_edges();
    write_known_degrees(in_, into_, to_->known_degrees);
    write_known_degrees(out_, from_, to_->known_out_degrees);
    to_->finish();
    mine_->in = own_view(to_->in, into_, mine_->in_long);
    mine_->out = own_view(to_->out, from_, mine_->out_long);
    write_exchanged();
    to_->ranks = std::move(mine_);
    return std::move(to_);
  }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  std::int64_t next_edge() const { return static_cast<std::int64_t>(to_->larger_edges.size()); }

  /// Of edges that end in the halo those that begin in own rows.
  std::int64_t count_halo_edges() const {
    std::int64_t n = 0;
    for (std::int64_t r = 0; r < from_.own_rows(); ++r)
      for (auto k = out_.begin(from_.global(r)); k != out_.end(from_.global(r)); ++k)
        n += !into_.is_own(into_.row_of(out_.neighbour(k)));
    return n;
  }
  void write_in_edges() {
    to_->larger_edges.reserve(at(to_->edges));
    for (std::int64_t r = 0; r < into_.rows(); ++r) {
      to_->in_offsets[at(r)] = next_edge();
      for (auto k = in_.begin(into_.global(r)); k != in_.end(into_.global(r)); ++k) {
        const std::int32_t source = from_.row_of(in_.neighbour(k));
        if (source < 0 || (!into_.is_own(r) && !from_.is_own(source))) continue;
        edge_of_[at(in_.edge_id(k))] = next_edge();
        to_->in_neighbours[at(next_edge())] = source;
        to_->larger_edges.push_back(in_.edge_id(k));
      }
      to_->in_degrees[at(r)] = static_cast<std::int32_t>(next_edge() - to_->in_offsets[at(r)]);
    }
    to_->in_offsets[at(into_.rows())] = next_edge();
  }
  void write_out_edges() {
    std::int64_t place = 0;
    for (std::int64_t r = 0; r < from_.rows(); ++r) {
      to_->out_offsets[at(r)] = place;
      for (auto k = out_.begin(from_.global(r)); k != out_.end(from_.global(r)); ++k) {
        const std::int64_t id = edge_of_[at(out_.edge_id(k))];
        if (id < 0) continue;
        to_->out_neighbours[at(place)] = into_.row_of(out_.neighbour(k));
        to_->out_ids[at(place++)] = id;
      }
      to_->out_degrees[at(r)] = static_cast<std::int32_t>(place - to_->out_offsets[at(r)]);
    }
    to_->out_offsets[at(from_.rows())] = place;
  }
  static void write_known_degrees(const adjacency& of_all, const part_rows& rows, std::vector<std::int64_t>& to) {
    std::int64_t before = 0;
    for (std::int64_t r = 0; r < rows.rows(); ++r) {
      to.push_back(before);
      before += of_all.degree(rows.global(r));
    }
    to.push_back(before);
  }
  static adjacency own_view(const adjacency& all, const part_rows& rows, long_row_list& list) {
    find_long_rows(all.first_rows(rows.own_rows(), {}), long_row_edges_of_host, list);
    return all.first_rows(rows.own_rows(), list.view());
  }

  void write_exchanged() {
    const std::size_t ranks = at(into_.ranks().size());
    std::vector<exchanged_rows> made_in(ranks), made_out(ranks);
    for (const std::int64_t there : edge_of_) {  // ids of the whole graph are places by destination
      if (there < 0) continue;
      const auto id = static_cast<std::int32_t>(there);
      const std::int64_t source = to_->in_neighbours[at(id)], destination = row_of_destination(id);
      if (from_.is_own(source) && into_.is_own(destination)) continue;
      const int other =
          from_.is_own(source) ? into_.rank_of(into_.global(destination)) : from_.rank_of(from_.global(source));
      exchanged_rows &in = made_in[at(other)], &out = made_out[at(other)];
      (into_.is_own(destination) ? in.sent : in.taken).push_back(id);
      (from_.is_own(source) ? out.sent : out.taken).push_back(id);
    }
    keep_those_with_any(made_in, mine_->edges_made_in);
    keep_those_with_any(made_out, mine_->edges_made_out);
  }
  std::int64_t row_of_destination(std::int64_t id) const {
    const auto& offsets = to_->in_offsets;
    return std::upper_bound(offsets.begin(), offsets.end(), id) - offsets.begin() - 1;
  }

  adjacency in_, out_;
  const part_rows &from_, &into_;
  std::vector<std::int64_t> edge_of_{};  // by edge of the whole graph; -1: none
  std::unique_ptr<rank_rows> mine_;
  std::shared_ptr<graph::state> to_ = std::make_shared<graph::state>();
};

}  // namespace

std::shared_ptr<graph::state> part_of_edges(const graph& whole, const part_rows& sources, const part_rows& destinations,
                                            const std::string& name, std::unique_ptr<rank_rows> mine) {
  return edge_writer(whole, sources, destinations, std::move(mine)).write(name);
}

void gather_rows(const cut& of, std::string_view set, const rank_rows& part, const std::byte* from, std::int64_t row,
                 std::byte* to) {
  communicator& ranks = *part.ranks;
  ranks.waits_for({"rows to gather"});
  const std::uint64_t tag = ranks.next_tag();
  std::vector<std::vector<std::byte>> theirs(static_cast<std::size_t>(ranks.size()));
  const auto each_row = [&](std::size_t rank, const auto& body) {
    for (int b = part.first_block[rank]; b < part.first_block[rank + 1]; ++b)
      for (const std::int32_t v : of.block(set, b)) body(v);
  };
  const auto mine = static_cast<std::size_t>(ranks.rank());
  for (std::size_t other = 0; other < theirs.size(); ++other) {
    if (other == mine) continue;
    std::int64_t rows = 0;
    each_row(other, [&](std::int32_t) { ++rows; });
    theirs[other].resize(static_cast<std::size_t>(rows * row));
    ranks.expect(static_cast<int>(other), tag, theirs[other].data(), rows * row);
    ranks.send(static_cast<int>(other), tag, from, part.own_vertices * row);
  }
  for (std::size_t other = 0; other < theirs.size(); ++other) {
    if (other != mine) ranks.receive(static_cast<int>(other), tag);
    const std::byte* next = other == mine ? from : theirs[other].data();
    each_row(other, [&](std::int32_t v) {
      std::memcpy(to + v * row, next, static_cast<std::size_t>(row));
      next += row;
    });
  }
}

}  // namespace stg::distributed
