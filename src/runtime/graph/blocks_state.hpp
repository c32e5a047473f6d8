// What blocks keep: of each vertex set and relation the rows of every hop, and, on a device, where they lie there.
#pragma once

#include <stg/runtime/blocks.hpp>  // blocks

#include <cstddef>      // size_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include "../memory/copied_arrays.hpp"  // copied_arrays, memory

namespace stg {

struct blocks::state {
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  /// Arrays on the host, or where their copies on a device begin.
  template <class T> struct array {
    std::vector<T> here{};
    const T* there = nullptr;
    const T* data() const { return there != nullptr ? there : here.data(); }
    void copy_to(detail::copied_arrays& all, array& to) const { all.add(here, &to.there); }
  };
  /// A set of vertices: one of a plain graph, which has no name.
  struct set {
    std::string name{};
    std::int64_t vertices = 0;
    std::vector<std::int64_t> offsets{};       // empty of a whole graph
    std::vector<array<std::int64_t>> ends{};   // by hop: 0, 1, … up to its rows, and no further
    std::span<const std::int32_t> of_large{};  // which vertices there, while blocks are made
    const std::int32_t* ids = nullptr;         // the same where rows lie
  };
  /// Out-edges that end in the first rows.
  struct out_rows {
    array<std::int64_t> offsets, ids;
    array<std::int32_t> neighbours;
    bool is_all = true;  // they are the graph's
  };
  struct relation {
    std::string name{};
    graph edges{};
    std::size_t source = 0, destination = 0;
    std::vector<std::int64_t> edges_into{};  // by hop
    array<std::int64_t> degrees{};           // sums of degrees
    std::vector<out_rows> out{};             // by hop
  };

  graph whole{};
  std::vector<set> sets{};
  std::vector<relation> relations{};
  int sampled_hops = ir::all_hops;
  bool is_whole = true;
  std::size_t seed_set = 0;
  // The first (vertices + 1) of the largest set; what is the same for all blocks stays when memory is used again.
  array<std::int64_t> nothing{};     // 0, 0, …: rows without edges
  array<std::int64_t> counted{};     // 0, 1, …
  array<std::int32_t> themselves{};  // 0, 1, …

  // Of a copy on a device: these arrays are there.
  std::shared_ptr<const state> on_host{};
  detail::memory on_device{};

  std::int64_t rows(const set& s, int hop) const {
    return is_whole || hop >= sampled_hops ? s.vertices : s.offsets[at(hop + 1)];
  }
  std::int64_t edges(const relation& r, int hop) const {
    return is_whole || hop >= sampled_hops ? r.edges.edges() : r.edges_into[at(hop)];
  }

  /// The set of a name: its number, or as many as there are.
  std::size_t number_of(std::string_view name) const {
    std::size_t of = 0;
    while (of < sets.size() && sets[of].name != name) ++of;
    return of;
  }
  void resize(std::size_t set_count, std::size_t relation_count) {
    sets.resize(set_count), relations.resize(relation_count);
  }
  void prepare();
  void prepare_relation(relation& r, std::span<const std::int32_t> in_degrees, std::span<const std::int32_t> of_sample);
  void find_out_edges(const relation& r, int hop, out_rows& to) const;
  void copy_to(location where, state& to) const;
  const graph& edges_of(std::size_t relation) const;
  adjacency with_ids(const adjacency& rows, const set& of) const { return rows.within_larger(of.ids, nullptr); }
  adjacency in_edges(const relation& r, int hop) const;
  adjacency out_edges(const relation& r, int hop) const;
  const set& set_of(ir::kind_list kinds, int number) const;
  const relation& relation_of(ir::kind_list kinds, int number) const;
  kind_rows of(ir::kind_list kinds, const ir::block_kind& k) const;
};

}  // namespace stg
