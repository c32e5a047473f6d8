// Many small graphs side by side, with a vertex set of the graphs themselves.
#pragma once

#include <stg/runtime/const_tensor.hpp>  // const_tensor
#include <stg/runtime/graphs.hpp>        // graphs, NamedRelation, relation_names

#include <cstdint>      // int64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_same_v
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// The disjoint union of graphs, and of the graphs a set with one vertex for each: vertices of each set are those of
/// the first graph, then of the second, and so on, and so are edges, in the order of the edge list and of ids. Features
/// are put one below another (`concatenate_rows`), and what is of a graph, its features, label, mask or loss, is a
/// value of the graph set, (graphs, ...). A readout is a relation, from each vertex to its graph. A program knows
/// nothing of how many graphs there are: the lambda that runs over many runs over one, `batch_graphs` of which has a
/// graph set of one.
class graphs_union {
 public:
  stg::graphs graph{};

  /// How many graphs there are.
  std::int64_t graphs() const { return count_; }

  /// (graphs + 1): graph i has the vertices [offset i, offset i + 1) of a set, and the edges of a relation likewise.
  /// Errors: no such set or relation in the graphs. The graph set and readouts have none.
  template <NamedVertexSet Set> std::span<const std::int64_t> offsets(Set) const& { return offsets(Set::name::view()); }
  template <NamedRelation Relation> std::span<const std::int64_t> offsets(Relation) const& {
    return offsets(Relation::name::view());
  }
  std::span<const std::int64_t> offsets(std::string_view set_or_relation) const&;
  template <class Of>
  void offsets(const Of&) const&& = delete;  // stg: the union is gone with its offsets; give it a name first

  /// Graph i's rows of a set's values, or of edge values by id (edges of that graph alone): a view. Errors: no graph i,
  /// values of another number of rows.
  ///
  ///   auto of_third = all.rows(atom, 2, charges);             // (atoms of graph 2, ...)
  template <NamedVertexSet Set, class T>
  const_tensor<T> rows(Set, std::int64_t i, const const_tensor<T>& values) const {
    const range r = range_of(Set::name::view(), i, values.shape());
    return values.rows(r.first, r.last);
  }
  template <NamedVertexSet Set, class T> const_tensor<T> rows(Set, std::int64_t i, const_tensor<T>&& values) const {
    const range r = range_of(Set::name::view(), i, values.shape());
    return std::move(values).rows(r.first, r.last);
  }
  template <NamedVertexSet Set, class T> const_tensor<T> rows(Set of, std::int64_t i, tensor<T>&& values) const {
    return rows(of, i, static_cast<const_tensor<T>&&>(values));
  }
  template <NamedRelation Relation, TensorElement T>
  const_tensor<T> rows(Relation, std::int64_t i, const edge_values<T>& values) const {
    const range r = range_of(Relation::name::view(), i, values.values().shape());
    return values.values().rows(r.first, r.last);
  }
  template <NamedRelation Relation, TensorElement T>
  const_tensor<T> rows(Relation, std::int64_t i, edge_values<T>&& values) const {
    const range r = range_of(Relation::name::view(), i, values.values().shape());
    return std::move(values).values().rows(r.first, r.last);
  }

  /// Made by batch_graphs.
  struct part_offsets {
    std::string name;
    std::vector<std::int64_t> offsets;
  };
  graphs_union(stg::graphs all, std::int64_t count, std::vector<part_offsets> offsets)
      : graph(std::move(all)), count_(count), offsets_(std::move(offsets)) {}

 private:
  struct range {
    std::int64_t first, last;
  };
  range range_of(std::string_view name, std::int64_t i, const dimensions& shape) const;

  std::int64_t count_ = 0;
  std::vector<part_offsets> offsets_;
};

namespace detail {
template <class Edges, class Readout>
inline constexpr bool reads_out = std::is_same_v<typename Edges::destination::name, typename Readout::source::name>;
template <class First, class... Rest>
inline constexpr bool reads_into_one_set =
    (std::is_same_v<typename First::destination::name, typename Rest::destination::name> && ...);
template <class Relation> relation_names names_of() {
  return {std::string(Relation::name::view()), std::string(Relation::source::name::view()),
          std::string(Relation::destination::name::view())};
}
graphs_union unite(std::span<const graph>, const relation_names& edges, const relation_names& readout);
graphs_union unite(std::span<const graphs>, std::span<const relation_names> readouts);
}  // namespace detail

/// Graphs of one set of vertices: what `edges` is a relation of, their edges, and the readout from these vertices to
/// the graph set. Errors: a graph of several kinds, and more vertices than 2^31 - 1.
///
///   inline constexpr auto bond    = stg::relation<"bond", atom, atom>;
///   inline constexpr auto part_of = stg::relation<"part of", atom, molecule>;
///   auto all = stg::batch_graphs(molecules, bond, part_of);       // a std::vector<stg::graph>
///   auto now = step(all.graph, charge = charges, energy = energies, params);
template <NamedRelation Edges, NamedRelation Readout>
graphs_union batch_graphs(std::span<const graph> graphs, Edges, Readout) {
  constexpr bool are_edges_and_readout = detail::joins_a_set_to_itself<Edges> && detail::reads_out<Edges, Readout>;
  static_assert(are_edges_and_readout,
                "stg: batch_graphs takes the edges, relation<\"bond\", atom, atom>, and a readout from atom to graphs");
  return detail::unite(graphs, detail::names_of<Edges>(), detail::names_of<Readout>());
}

/// Graphs of several kinds, all of the same sets and relations, with a readout from each set that is read out. Errors
/// name the graph, and the set or relation: none at all, one that has other sets or relations than the first, a readout
/// or graph set whose name is taken.
///
///   auto all = stg::batch_graphs(reactions, of_atoms, of_rings);  // a std::vector<stg::graphs>
template <NamedRelation Readout, NamedRelation... More>
graphs_union batch_graphs(std::span<const graphs> all, Readout, More...) {
  constexpr bool read_into_one_set = detail::reads_into_one_set<Readout, More...>;
  static_assert(read_into_one_set, "stg: batch_graphs takes readouts into one vertex set, which is that of the graphs");
  const relation_names readouts[] = {detail::names_of<Readout>(), detail::names_of<More>()...};
  return detail::unite(all, readouts);
}

}  // namespace stg
