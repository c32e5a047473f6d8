// Counting the bytes of a block row by row, and cutting where the next one would be too much.
#include "cut_rows.hpp"  // cut_rows

#include <stg/base/error.hpp>  // error

#include <algorithm>  // all_of
#include <limits>     // numeric_limits

namespace stg::detail {

namespace {

class cutter {
 public:
  cutter(std::span<const sized_set> sets, std::span<const sized_relation> relations, std::size_t rows)
      : sets_(sets), relations_(relations), rows_(rows) {
    for (const sized_set& s : sets) counted_in_.emplace_back(static_cast<std::size_t>(s.vertices), 0);
  }

  void begin_block() {
    ++block_;
    bytes_ = 0;
  }
  /// Bytes of the block with one more row.
  std::int64_t add(std::int64_t v) {
    count(rows_, v);
    for (const sized_relation& r : relations_) {
      bytes_ += r.in.degree(v) * r.edge_bytes;
      for (std::int64_t k = r.in.begin(v); k < r.in.end(v); ++k) count(r.source, r.in.neighbour(k));
    }
    return bytes_;
  }
  std::int64_t edges_into(std::int64_t v) const {
    std::int64_t edges = 0;
    for (const sized_relation& r : relations_) edges += r.in.degree(v);
    return edges;
  }

 private:
  /// A vertex, once in a block: as a row, or as a neighbour before.
  void count(std::size_t set, std::int64_t v) {
    std::int64_t& last = counted_in_[set][static_cast<std::size_t>(v)];
    if (last == block_) return;
    last = block_;
    bytes_ += sets_[set].vertex_bytes;
  }

  const std::span<const sized_set> sets_;
  const std::span<const sized_relation> relations_;
  const std::size_t rows_;
  std::vector<std::vector<std::int64_t>> counted_in_{};  // by set: the block, counted from 1, of each vertex
  std::int64_t block_ = 1, bytes_ = 0;
};

/// Whether the bytes of all vertices and edges can be counted; those of a block are no more.
bool can_be_counted(std::span<const sized_set> sets, std::span<const sized_relation> relations) {
  std::int64_t all = 0;
  const auto add = [&](std::int64_t count, std::int64_t each) {
    std::int64_t bytes = 0;
    return !__builtin_mul_overflow(count, each, &bytes) && !__builtin_add_overflow(all, bytes, &all);
  };
  return std::all_of(sets.begin(), sets.end(), [&](const sized_set& s) { return add(s.vertices, s.vertex_bytes); }) &&
         std::all_of(relations.begin(), relations.end(),
                     [&](const sized_relation& r) { return add(r.in.edges(), r.edge_bytes); });
}

}  // namespace

std::vector<std::int64_t> cut_rows(const std::string& by, std::int64_t bytes, std::span<const sized_set> sets,
                                   std::span<const sized_relation> relations, std::size_t rows) {
  const auto check = [&](std::int64_t size, const char* of) {
    if (bytes < 1 || size < 0)
      throw error(by + ": blocks of " + std::to_string(bytes) + " bytes with " + std::to_string(size) + of +
                  "; give a limit above 0, and sizes of 0 or more");
  };
  for (const sized_set& s : sets) check(s.vertex_bytes, " a vertex");
  for (const sized_relation& r : relations) check(r.edge_bytes, " an edge");
  if (!can_be_counted(sets, relations))
    throw error(by + ": all vertices and edges together take more than " +
                std::to_string(std::numeric_limits<std::int64_t>::max()) + " bytes; give sizes in bytes");
  cutter block(sets, relations, rows);
  std::vector<std::int64_t> first = {0};
  for (std::int64_t v = 0; v < sets[rows].vertices; ++v) {
    if (block.add(v) <= bytes) continue;
    if (first.back() < v) first.push_back(v);  // it begins a block of its own
    block.begin_block();
    if (const std::int64_t alone = block.add(v); alone > bytes)
      throw error(by + ": vertex " + std::to_string(v) + " takes " + std::to_string(alone) + " bytes with its " +
                  std::to_string(block.edges_into(v)) + " in-edges, and a block has " + std::to_string(bytes) +
                  "; give that many");
  }
  if (sets[rows].vertices > 0) first.push_back(sets[rows].vertices);
  return first;
}

}  // namespace stg::detail
