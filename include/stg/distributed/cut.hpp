// cut: a graph's vertices in parts, one or several for each rank.
#pragma once

#include <cstdint>           // int32_t, uint64_t
#include <initializer_list>  // initializer_list
#include <iosfwd>            // ostream
#include <memory>            // shared_ptr
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <utility>           // move
#include <vector>            // vector

#include <stg/runtime/const_tensor.hpp>  // const_tensor
#include <stg/runtime/graph.hpp>         // graph
#include <stg/runtime/graphs.hpp>        // graphs, NamedVertexSet

namespace stg {

class graph_sequence;
namespace detail {
class edges_of_steps;
struct cut_access;
}  // namespace detail

/// The part of each vertex of a set, (vertices): what cut::of takes of graphs of several vertex sets.
struct parts_of_set {
  template <NamedVertexSet Set>
  parts_of_set(Set, const const_tensor<std::int32_t>& parts_of_vertices)
      : set(Set::name::view()), parts(&parts_of_vertices) {}
  parts_of_set(std::string_view name, const const_tensor<std::int32_t>& parts_of_vertices)
      : set(name), parts(&parts_of_vertices) {}

  std::string_view set;
  const const_tensor<std::int32_t>* parts;
};

/// The parts of a graph, or of graphs of several vertex sets: each set has vertices in each part. A cut decides the
/// bits of results: sums over all vertices are taken block by block, 64 blocks of a cut, and joined in one order, so
/// any number of ranks up to parts() gives the numbers of one rank. Copies share their data.
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

  /// The same of a graph that changes: a vertex is in one part at all steps. Edges between parts count at each step
  /// that has them, and so does work.
  ///
  ///   const auto cut = stg::cut::by_metis(days, 4);
  static cut by_metis(const graph_sequence& s, int parts, std::uint64_t number = 1);
  static cut by_ranges(const graph_sequence& s, int parts);
  static cut of(const graph_sequence& s, const const_tensor<std::int32_t>& parts);

  /// The same of several vertex sets, by the edges of all relations: all sets at once, where parts have equal work on
  /// all of them together; each set in ranges of equal work; and parts of the caller's own, of every set. Errors also
  /// for a set that is not there, is given twice or is left out, and for more than 2^31 - 1 vertices of all sets.
  ///
  ///   const auto cut = stg::cut::of(graphs, {{author, parts_of_authors}, {paper, parts_of_papers}});
  static cut by_metis(const graphs& g, int parts, std::uint64_t number = 1);
  static cut by_ranges(const graphs& g, int parts);
  static cut of(const graphs& g, std::initializer_list<parts_of_set> parts);

  /// The graph that is cut. Of a graph that changes it has each edge of all steps once; of several vertex sets it
  /// stands for them.
  const graph& whole() const;
  int parts() const;
  /// The part of each vertex.
  std::span<const std::int32_t> part_of() const;
  /// The vertices of a block. Blocks [64 p / parts, 64 (p + 1) / parts) are those of part p, whose vertices come in the
  /// order: vertices without neighbours in other parts, then the others, ascending in groups by the edges that leave.
  /// Of several vertex sets a set's vertices are in such groups by relation and direction.
  std::span<const std::int32_t> block(int number) const;
  /// The same of a vertex set. Error: no such set.
  template <NamedVertexSet Set> std::span<const std::int32_t> part_of(Set) const { return part_of(Set::name::view()); }
  std::span<const std::int32_t> part_of(std::string_view set) const;
  std::span<const std::int32_t> block(std::string_view set, int number) const;

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
  friend detail::cut_access;
  struct state;
  explicit cut(std::shared_ptr<const state> s) : state_(std::move(s)) {}
  static cut made(const graph& g, std::vector<std::int32_t> part_of, int parts);
  static cut made(detail::edges_of_steps all, std::vector<std::int32_t> part_of, int parts);
  static detail::edges_of_steps edges_of(const graph_sequence& s);
  static cut made_of_sets(const graphs& g, std::span<const std::int32_t> part_of, int parts);  // set after set
  std::shared_ptr<const state> state_;
};

}  // namespace stg
