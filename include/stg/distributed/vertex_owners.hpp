// vertex_owners: which rank has each vertex of a cut graph, and in which row.
#pragma once

#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string_view>  // string_view

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/graphs.hpp>        // NamedVertexSet

namespace stg {

/// The owners of all vertices. A rank's own rows are in the order of a distributed_graph of the same cut, which begins
/// with them. Copies share their memory: 12 bytes for each vertex of the whole graph.
///
///   const stg::vertex_owners owners(cut, ranks);
///   const auto mine = stg::gather(features, owners.own_vertices());      // (own vertices, features)
class vertex_owners {
 public:
  /// Rank r of k has parts [parts r / k, parts (r + 1) / k). The communicator outlives the object. Error: more ranks
  /// than the cut has parts.
  vertex_owners(const cut& of, communicator& ranks);
  /// The same of a vertex set of a cut of several. Error for a set that is not there.
  template <NamedVertexSet Set>
  vertex_owners(const cut& of, Set, communicator& ranks) : vertex_owners(of, Set::name::view(), ranks) {}
  vertex_owners(const cut& of, std::string_view set, communicator& ranks);

  communicator& ranks() const;
  std::int64_t all_vertices() const;
  /// The vertices of this rank, a row each.
  std::span<const std::int32_t> own_vertices() const&;
  void own_vertices() const&& = delete;  // stg: the owners are gone with their numbers; give them a name first
  /// The rank that owns a vertex, and the vertex's row there.
  int rank_of(std::int32_t vertex) const;
  std::int64_t row_of(std::int32_t vertex) const;
  /// A number of the whole graph and its parts: equal where these are.
  std::uint64_t number_of_cut() const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

}  // namespace stg
