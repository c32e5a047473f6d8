// Rows of a rank: numbers of own vertices and of the halo, and rows to exchange.
#include "part_rows.hpp"

#include <algorithm>  // sort, unique
#include <cstring>    // memcpy
#include <utility>    // move

#include "cut_state.hpp"  // first_blocks_of, ranks_of_parts

namespace stg::distributed {

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

void part_rows::add_ends(const part_rows& owners, const adjacency& edges, bool are_of_own_rows) {
  for (std::int64_t own = 0; own < owners.own_rows(); ++own) {
    const std::int64_t r = are_of_own_rows ? own : owners.global(own);
    for (auto k = edges.begin(r); k != edges.end(r); ++k) {
      std::int32_t& there = row_of_[at(edges.neighbour(k))];
      if (there != -1) continue;
      there = -2;
      global_.push_back(edges.neighbour(k));
    }
  }
}

void part_rows::add_halo(std::span<const std::int32_t> vertices) {
  global_.insert(global_.end(), vertices.begin(), vertices.end());
}

void part_rows::number_halo() {
  std::sort(global_.begin() + own_rows(), global_.end(), [this](std::int32_t a, std::int32_t b) {
    const int of_a = rank_of(a), of_b = rank_of(b);
    return of_a != of_b ? of_a < of_b : a < b;
  });
  for (std::int64_t r = own_rows(); r < rows(); ++r) row_of_[at(global(r))] = static_cast<std::int32_t>(r);
  is_taken_.assign(at(rows() - own_rows()), 0);
}

void part_rows::send(std::int64_t own, int other) {
  std::vector<std::int32_t>& sent = sent_to_[at(other)];
  if (sent.empty() || sent.back() != own) sent.push_back(static_cast<std::int32_t>(own));
}

void part_rows::write_exchanged(rank_rows& to) const {
  std::vector<exchanged_rows> by_rank(sent_to_.size());
  for (std::int64_t r = own_rows(); r < rows(); ++r)
    if (is_taken_[at(r - own_rows())] != 0) by_rank[at(rank_of_row(r))].taken.push_back(static_cast<std::int32_t>(r));
  for (std::size_t other = 0; other < by_rank.size(); ++other) {
    std::vector<std::int32_t>& sent = by_rank[other].sent = sent_to_[other];
    std::sort(sent.begin(), sent.end(),  // as the halo of the other is
              [this](std::int32_t a, std::int32_t b) { return global(a) < global(b); });
    sent.erase(std::unique(sent.begin(), sent.end()), sent.end());
  }
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

void keep_those_with_any(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to) {
  for (std::size_t other = 0; other < by_rank.size(); ++other) {
    by_rank[other].with = static_cast<int>(other);
    if (!by_rank[other].sent.empty() || !by_rank[other].taken.empty()) to.push_back(std::move(by_rank[other]));
  }
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
