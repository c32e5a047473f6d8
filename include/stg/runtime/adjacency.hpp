// The view through which rows of a graph are read; nothing else touches offsets.
#pragma once

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

#include <cstdint>  // int32_t, int64_t

namespace stg {

/// Rows with more edges than one thread, or one group of a GPU's threads, should walk, cut into parts of so many edges;
/// parts of a row follow each other.
struct long_rows {
  const std::int32_t* row = nullptr;         // (count), ascending
  const std::int32_t* first_part = nullptr;  // (count + 1)
  std::int32_t count = 0, parts = 0;
  std::int32_t part_edges = 0;

  /// The number of the long row that a part belongs to.
  STG_HOST_DEVICE constexpr int row_of(int part) const {
    int low = 0, high = count;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (first_part[middle] <= part) low = middle;
      else high = middle;
    }
    return low;
  }
};

/// First row of a part when `rows` rows, with so many edges, are divided into consecutive parts of equal work, edges +
/// rows. edges_before(row): of the rows before it. Binary search: O(log rows).
template <class EdgesBefore>
STG_HOST_DEVICE constexpr std::int64_t first_row_of_part(std::int64_t rows, std::int64_t edges, std::int64_t part,
                                                         std::int64_t parts, const EdgesBefore& edges_before) {
  if (rows == 0) return 0;
  const std::int64_t work = edges + rows;
  const std::int64_t before = work / parts * part + work % parts * part / parts;  // work * part / parts, no overflow
  std::int64_t low = 0, high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (edges_before(middle) + middle < before) low = middle + 1;
    else high = middle;
  }
  return low;
}

class edge_order;

/// Rows of edges: row v holds the positions k in [begin(v), end(v)), each with a neighbour and an edge id.
/// A view: cheap to copy, handed to kernels by value, valid while the graph lives. Nothing is checked here.
///
///   for (auto k = rows.begin(v); k != rows.end(v); ++k)
///     y[v] += w[rows.edge_id(k)] * x[rows.neighbour(k)];
class adjacency {
 public:
  adjacency() = default;
  /// offsets: (rows + 1), ascending; neighbours: one per edge; ids: one per edge, or null when edge_id(k) is k.
  STG_HOST_DEVICE constexpr adjacency(std::int64_t rows, const std::int64_t* offsets, const std::int32_t* neighbours,
                                      const std::int64_t* ids)
      : rows_(rows), offsets_(offsets), neighbours_(neighbours), ids_(ids), known_(offsets) {}

  STG_HOST_DEVICE constexpr std::int64_t rows() const { return rows_; }
  STG_HOST_DEVICE constexpr std::int64_t edges() const { return rows_ == 0 ? 0 : offsets_[rows_] - offsets_[0]; }
  STG_HOST_DEVICE constexpr std::int64_t begin(std::int64_t v) const { return offsets_[v]; }
  STG_HOST_DEVICE constexpr std::int64_t end(std::int64_t v) const { return offsets_[v + 1]; }
  STG_HOST_DEVICE constexpr std::int64_t degree(std::int64_t v) const { return end(v) - begin(v); }
  /// What a program is given as a row's degree: in a sample of a larger graph, of rows that were not looked into, the
  /// degree there; else degree(v).
  STG_HOST_DEVICE constexpr std::int64_t known_degree(std::int64_t v) const { return known_[v + 1] - known_[v]; }
  STG_HOST_DEVICE constexpr const std::int64_t* known_degrees() const { return known_; }
  /// sums: (rows + 1), each of the known degrees before a row.
  constexpr adjacency with_known_degrees(const std::int64_t* sums) const {
    adjacency a = *this;
    a.known_ = sums;
    return a;
  }
  STG_HOST_DEVICE constexpr std::int32_t neighbour(std::int64_t k) const { return neighbours_[k]; }
  /// Where rows begin, and the last one ends: (rows + 1).
  STG_HOST_DEVICE constexpr const std::int64_t* offsets() const { return offsets_; }
  /// Of all positions, from 0 on.
  STG_HOST_DEVICE constexpr const std::int32_t* neighbours() const { return neighbours_; }
  STG_HOST_DEVICE constexpr std::int64_t edge_id(std::int64_t k) const { return ids_ ? ids_[k] : k; }
  /// Whether edge_id(k) == k for every k, so that edge values can be read in one stream.
  STG_HOST_DEVICE constexpr bool ids_are_positions() const { return ids_ == nullptr; }

  STG_HOST_DEVICE constexpr const stg::long_rows& long_rows() const { return long_rows_; }
  /// Whether a row of so many edges is one of them.
  STG_HOST_DEVICE constexpr bool is_long(std::int64_t degree) const {
    return long_rows_.count > 0 && degree > long_rows_.part_edges;
  }
  constexpr adjacency with(const stg::long_rows& cut) const {
    adjacency a = *this;
    a.long_rows_ = cut;
    return a;
  }

  /// The k-th row in the order in which a GPU's groups take them (row_order.hpp): k where there is none.
  STG_HOST_DEVICE constexpr std::int64_t row_at(std::int64_t k) const { return row_order_ ? row_order_[k] : k; }
  /// order: (rows), every row once.
  constexpr adjacency with_row_order(const std::int32_t* order) const {
    adjacency a = *this;
    a.row_order_ = order;
    return a;
  }

  /// Where edge values go so that these rows read them in one stream; null where they do anyway, and on a device.
  constexpr const edge_order* order() const { return order_; }
  constexpr adjacency with(const edge_order& order) const {
    adjacency a = *this;
    a.order_ = &order;
    return a;
  }
  /// The same rows over edge values that lie in their order: edge_id(k) is k.
  constexpr adjacency in_order() const {
    adjacency a = *this;
    a.ids_ = nullptr;
    a.order_ = nullptr;
    return a;
  }

  /// What random numbers of a row, and of an edge by its id, are drawn by: in a part of a larger graph their ids there,
  /// so that they are the same in both.
  STG_HOST_DEVICE constexpr std::int64_t global_row(std::int64_t v) const { return global_rows_ ? global_rows_[v] : v; }
  STG_HOST_DEVICE constexpr std::int64_t global_edge(std::int64_t id) const {
    return global_edges_ ? global_edges_[id] : id;
  }
  /// Of all rows; null where each is its own.
  STG_HOST_DEVICE constexpr const std::int32_t* global_rows() const { return global_rows_; }
  STG_HOST_DEVICE constexpr const std::int64_t* global_edges() const { return global_edges_; }
  /// rows: (rows), edges: by edge id, or null where they are their own.
  constexpr adjacency within_larger(const std::int32_t* rows, const std::int64_t* edges) const {
    adjacency a = *this;
    a.global_rows_ = rows;
    a.global_edges_ = edges;
    return a;
  }

  /// The first rows alone, with their long rows.
  constexpr adjacency first_rows(std::int64_t rows, const stg::long_rows& cut) const {
    adjacency a = with(cut);
    a.rows_ = rows;
    return a;
  }

  /// First row of a part when rows are divided into consecutive parts of equal work, edges + rows.
  /// Ascending in `part`; split(0) is 0 and split(parts) is rows(). No row is divided, so a part may be empty.
  STG_HOST_DEVICE constexpr std::int64_t split(std::int64_t part, std::int64_t parts) const {
    const std::int64_t* const offsets = offsets_;
    return first_row_of_part(rows_, edges(), part, parts,
                             [offsets](std::int64_t row) { return offsets[row] - offsets[0]; });
  }

 private:
  std::int64_t rows_ = 0;
  const std::int64_t* offsets_ = nullptr;
  const std::int32_t* neighbours_ = nullptr;
  const std::int64_t* ids_ = nullptr;
  const std::int64_t* known_ = nullptr;
  stg::long_rows long_rows_{};
  const std::int32_t* row_order_ = nullptr;
  const edge_order* order_ = nullptr;
  const std::int32_t* global_rows_ = nullptr;
  const std::int64_t* global_edges_ = nullptr;
};

}  // namespace stg
