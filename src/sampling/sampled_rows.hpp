// Rows of edges as they are sampled, vertex after vertex, and the graph that they make without sorting.
#pragma once

#include "../runtime/graph/graph_state.hpp"  // state
#include "vertex_numbers.hpp"                // at, grow

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <span>     // span
#include <vector>   // vector

namespace stg::detail {

/// Memory for a graph: that of the last one where nobody holds it but the `holders` that are known, else new.
graph::state& state_for(std::shared_ptr<graph::state>& memory, long holders);

/// In-degrees in the large graph, for the vertices of a sample from `first` on: no hop looked into them.
struct degrees_elsewhere {
  std::int64_t first = 0;
  std::span<const std::int32_t> of_large{};   // by vertex of the large graph
  std::span<const std::int32_t> of_sample{};  // by vertex of the sample, in place of those; or nothing
};

/// In-edges in the order of ids.
class sampled_rows {
 public:
  sampled_rows() = default;
  /// state: of the graph that is made. ids: which edge of the large graph each is.
  sampled_rows(graph::state& state, std::vector<std::int64_t>& ids);

  /// Room for so many more edges of the rows that follow; what adds edges fills it.
  void reserve(std::int64_t count) {
    grow(state_->in_neighbours, edges_ + count);
    grow(*all_ids_, edges_ + count);
    sources_ = state_->in_neighbours.data();
    ids_ = all_ids_->data();
    block_ = edges_;
  }
  /// Where the sources of the next edges go.
  std::int32_t* next_sources() { return sources_ + edges_; }
  /// So many edges, whose sources are there.
  void add(const std::int64_t* ids, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) ids_[edges_ + i] = ids[i];
    edges_ += count;
  }
  void add(std::int32_t source, std::int64_t id) {
    sources_[edges_] = source;
    ids_[edges_++] = id;
  }
  /// The row ends with the last edge that is there, or after so many edges from the end of the last block of rows.
  void end_row() { state_->in_offsets.push_back(edges_); }
  void end_row(std::int64_t of_block) { state_->in_offsets.push_back(block_ + of_block); }

  std::int64_t edges() const { return edges_; }

  /// Writes what follows from the rows: those of vertices without one, out-edges, degrees, and ids in the large graph.
  /// `sources` and `destinations`: which vertex there each is; the same list where they are of one set. known: the
  /// degrees of destinations that were not looked into.
  void finish(const std::vector<std::int32_t>& sources, const std::vector<std::int32_t>& destinations,
              const degrees_elsewhere& known);

 private:
  void write_out_edges();
  void write_known_degrees(const std::vector<std::int32_t>& destinations, const degrees_elsewhere& known);

  graph::state* state_ = nullptr;
  std::vector<std::int64_t>* all_ids_ = nullptr;
  std::int32_t* sources_ = nullptr;  // of the room that is there
  std::int64_t* ids_ = nullptr;
  std::int64_t edges_ = 0, block_ = 0;
};

}  // namespace stg::detail
