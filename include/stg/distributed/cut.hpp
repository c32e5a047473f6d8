// cut: a graph's vertices in parts, one or several for each rank.
#pragma once

#include <cstdint>  // int32_t, uint64_t
#include <iosfwd>   // ostream
#include <memory>   // shared_ptr
#include <span>     // span
#include <utility>  // move
#include <vector>   // vector

#include <stg/runtime/const_tensor.hpp>  // const_tensor
#include <stg/runtime/graph.hpp>         // graph

namespace stg {

/// The parts of a graph. A cut decides the bits of results: sums over all vertices are taken block by block, 64 blocks
/// of a cut, and joined in one order, so any number of ranks up to parts() gives the numbers of one rank. Copies share
/// their data.
///
///   const auto cut = stg::cut::by_metis(graph, 4);
///   std::cout << cut << '\n';
class cut {
 public:
  /// Blocks that sums over vertices are taken by, and the largest number of parts.
  static constexpr int blocks = 64;

  /// Few edges between parts, and equal work, rows and edges of both directions: METIS, as stg::partition. Errors: as
  /// there, and more than 64 parts.
  static cut by_metis(const graph& g, int parts, std::uint64_t number = 1);
  /// Consecutive vertices of equal work. Errors: a number of parts that is not in [1, 64].
  static cut by_ranges(const graph& g, int parts);
  /// The part of each vertex, (vertices), numbered from 0. Errors: another number of vertices, a negative part, and
  /// more than 64 parts. A part may be empty.
  static cut of(const graph& g, const const_tensor<std::int32_t>& parts);

  const graph& whole() const;
  int parts() const;
  /// The part of each vertex.
  std::span<const std::int32_t> part_of() const;
  /// The vertices of a block. Blocks [64 p / parts, 64 (p + 1) / parts) are those of part p, whose vertices come in the
  /// order: those without neighbours in other parts, then those with some, ascending in groups by the edges that leave.
  std::span<const std::int32_t> block(int number) const;

  /// Numbers that tell what a cut costs.
  struct costs {
    double cut_edges = 0;      // share of edges that join two parts
    double halo_rows = 0;      // rows that parts have beside their own, of all parts, by the graph's vertices
    double interior_rows = 0;  // share of rows that no edge joins with another part
    double largest_work = 0;   // of a part, rows and edges, by the mean of parts
  };
  costs cost() const;
  friend std::ostream& operator<<(std::ostream& to, const cut& c);

 private:
  struct state;
  explicit cut(std::shared_ptr<const state> s) : state_(std::move(s)) {}
  static cut made(const graph& g, std::vector<std::int32_t> part_of, int parts);
  std::shared_ptr<const state> state_;
};

}  // namespace stg
