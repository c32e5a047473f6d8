// distributed_graphs: the part of cut graphs of several vertex sets that a rank computes.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int32_t, int64_t
#include <span>         // span
#include <string_view>  // string_view

#include <stg/base/instead.hpp>           // STG_INSTEAD
#include <stg/distributed/cut.hpp>        // cut
#include <stg/runtime/communicator.hpp>   // communicator
#include <stg/runtime/edge_values.hpp>    // edge_values
#include <stg/runtime/graphs.hpp>         // graphs, NamedRelation, NamedVertexSet
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor
#include <stg/runtime/tensor.hpp>         // tensor

namespace stg {

namespace detail {
struct named_kind;
}

/// Stands wherever graphs do, as a distributed_graph does in place of a graph. Each vertex set has own rows and a halo:
/// vertices of other ranks that an edge of any relation joins with an own vertex. Tensors over a set have a row for
/// each of both.
///
///   stg::run_ranks(4, [&](stg::communicator& ranks) {
///     const stg::distributed_graphs part(cut, ranks);
///     auto now = step(part, words = part.rows(paper, W), share = part.edge_rows(writes, S), params);
///   });
class distributed_graphs : public graphs {
 public:
  /// The parts of this rank: rank r of k has parts [parts r / k, parts (r + 1) / k) of each set. The communicator
  /// outlives the graphs. Errors: more ranks than the cut has parts, and a cut of a plain graph.
  distributed_graphs(const cut& of, communicator& ranks);

  communicator& ranks() const;
  /// Own vertices of a set, which are its first rows, and those of the whole graphs. Error here and below for a set or
  /// relation that is not there.
  template <NamedVertexSet Set> std::int64_t own_vertices(Set) const { return own_vertices(Set::name::view()); }
  std::int64_t own_vertices(std::string_view set) const;
  template <NamedVertexSet Set> std::int64_t all_vertices(Set) const { return all_vertices(Set::name::view()); }
  std::int64_t all_vertices(std::string_view set) const;
  /// The whole graphs' number of each row: own rows, then the halo.
  template <NamedVertexSet Set> std::span<const std::int32_t> global_vertices(Set) const& {
    return global_vertices(Set::name::view());
  }
  std::span<const std::int32_t> global_vertices(std::string_view set) const&;
  template <class Set> void global_vertices(Set) const&& = delete;  // stg: the graphs are gone with their numbers

  /// The part's rows of a tensor over all vertices of a set, (vertices, ...). Error for another number of rows.
  template <NamedVertexSet Set, TensorElement T> tensor<T> rows(Set, const const_tensor<T>& of_all) const {
    const place in = place_of_rows(Set::name::view(), of_all.shape(), of_all.place(), 0);
    return taken(in, of_all, 0);
  }
  template <NamedVertexSet Set, class T> sparse_tensor<T> rows(Set, const sparse_tensor<T>& of_all) const {
    (void)place_of_rows(Set::name::view(), of_all.shape(), of_all.place(), 0);
    return of_all.rows(global_vertices(Set::name::view()));
  }
  /// The same of a tensor with a row for each vertex at each step, (steps, vertices, ...).
  template <NamedVertexSet Set, TensorElement T> tensor<T> step_rows(Set, const const_tensor<T>& of_all) const {
    const place in = place_of_rows(Set::name::view(), of_all.shape(), of_all.place(), 1);
    return taken(in, of_all, 1);
  }
  /// The part's edges of values over all edges of a relation. Error for values of other edges.
  template <NamedRelation Relation, TensorElement T>
  stg::edge_values<T> edge_rows(Relation, const stg::edge_values<T>& of_all) const {
    const place in = place_of_edges(Relation::name::view(), of_all.edge_identity());
    return stg::edge_values<T>::in_id_order(taken(in, of_all.values(), 0),
                                            relation(Relation::name::view()).edge_identity());
  }
  /// A tensor over all vertices of a set of results, on every rank: own rows of each. All ranks call it.
  template <NamedVertexSet Set, TensorElement T> tensor<T> gathered(Set, const const_tensor<T>& of_part) const {
    const place in = place_in_part(Set::name::view(), of_part.shape(), of_part.place());
    tensor<T> t = tensor<T>::for_overwrite(with_rows(of_part.shape(), in.all, 0));
    gather(Set::name::view(), reinterpret_cast<const std::byte*>(of_part.data()), in.all == 0 ? 0 : t.bytes() / in.all,
           reinterpret_cast<std::byte*>(t.data()));
    return t;
  }

  // Of no set or relation, or of one in place of the other: what to write.
  STG_INSTEAD("stg: a part has rows by vertex set; write part.rows(paper, X), part.gathered(paper, Y)",
              detail::nothing rows(detail::any) const)
  STG_INSTEAD("stg: a part has rows by vertex set; write part.rows(paper, X), part.gathered(paper, Y)",
              detail::nothing step_rows(detail::any) const)
  STG_INSTEAD("stg: a part has rows by vertex set; write part.rows(paper, X), part.gathered(paper, Y)",
              detail::nothing gathered(detail::any) const)
  STG_INSTEAD("stg: rows are those of a vertex set, part.rows(paper, X); a relation has part.edge_rows(writes, S)",
              detail::nothing rows(detail::any, detail::any) const)
  STG_INSTEAD("stg: a part has edges by relation; write part.edge_rows(writes, S)",
              detail::nothing edge_rows(detail::any) const)
  STG_INSTEAD("stg: edges are those of a relation, part.edge_rows(writes, S); a vertex set has part.rows(paper, X)",
              detail::nothing edge_rows(detail::any, detail::any) const)

 private:
  /// Which rows of a tensor a part has: vertices by number, or edges.
  struct place {
    const std::int32_t* vertices = nullptr;
    const std::int64_t* edges = nullptr;
    std::int64_t count = 0, all = 0;
  };

  static dimensions with_rows(const dimensions& of, std::int64_t rows, int axis);
  place place_of_rows(std::string_view set, const dimensions&, location, int axis) const;
  place place_of_edges(std::string_view relation, stg::edge_identity) const;
  place place_in_part(std::string_view set, const dimensions&, location) const;
  template <class T> static tensor<T> taken(const place& in, const const_tensor<T>& of_all, int axis) {
    tensor<T> t = tensor<T>::for_overwrite(with_rows(of_all.shape(), in.count, axis));
    take(in, reinterpret_cast<const std::byte*>(of_all.data()), of_all.bytes(), reinterpret_cast<std::byte*>(t.data()),
         t.bytes(), axis == 0 ? 1 : of_all.shape()[0]);
    return t;
  }
  static void take(const place& in, const std::byte* from, std::int64_t bytes_of_all, std::byte* to, std::int64_t bytes,
                   std::int64_t steps);
  void gather(std::string_view set, const std::byte* from, std::int64_t row, std::byte* to) const;
  const detail::named_kind& set_of(std::string_view name) const;

  cut cut_;
};

}  // namespace stg
