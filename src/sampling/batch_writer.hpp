// Writing a batch: which vertex of the large graph has which number in it, edges row by row, and the graph they make.
#pragma once

#include "../runtime/graph_state.hpp"  // state

#include <stg/sampling/batch.hpp>  // batch

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t
#include <memory>   // unique_ptr
#include <mutex>    // mutex
#include <span>     // span
#include <utility>  // pair
#include <vector>   // vector

namespace stg::detail {

/// An index of the standard library's containers.
inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Room for so many elements; with a quarter to spare when it has to grow, since batches differ in size.
template <class T> void grow(std::vector<T>& array, std::int64_t size) {
  const auto wanted = static_cast<std::size_t>(size);
  if (array.capacity() < wanted) array.reserve(wanted + wanted / 4);
  array.resize(wanted);
}

/// Arrays over all vertices of the large graph, and what draws need, of one thread at a time.
struct batch_scratch {
  /// The number of a vertex in the batch of this round.
  struct mark {
    std::uint32_t round = 0;
    std::int32_t local = 0;
  };
  std::vector<mark> marks{};  // (vertices of the large graph)
  std::uint32_t round = 0;

  static constexpr std::int64_t rows_at_once = 64;
  std::vector<std::int64_t> positions{};                // of the edges that were drawn for some rows
  std::array<std::int64_t, rows_at_once> ends{};        // of those rows in `positions`
  std::vector<std::int32_t> neighbours{};               // of those edges
  std::vector<std::uint64_t> bits{};                    // of a long row; all 0 between draws
  std::vector<std::pair<double, std::int64_t>> keys{};  // of edges with weights
  std::vector<std::int64_t> excluded{};                 // edges, ascending
  std::vector<double> sums{};                           // of weights of a row, of squares of candidates

  // Of layers alone: vertices that may be drawn, numbered in the order in which they are met.
  std::vector<mark> candidate_marks{};  // (vertices of the large graph)
  std::vector<std::int32_t> counts{};   // (candidates) how often each was drawn
  std::uint32_t candidate_round = 0;
  std::int32_t candidates = 0;

  void start_candidates(std::int64_t vertices) {
    if (++candidate_round == 0 || candidate_marks.empty()) {
      candidate_marks.assign(static_cast<std::size_t>(vertices), {});
      candidate_round = 1;
    }
    candidates = 0;
  }
  std::int32_t candidate(std::int32_t vertex) {
    mark& m = candidate_marks[static_cast<std::size_t>(vertex)];
    if (m.round != candidate_round) m = {candidate_round, candidates++};
    return m.local;
  }
};

struct scratch_pool {
  std::mutex lock{};
  std::vector<std::unique_ptr<batch_scratch>> free{};
};

/// Takes vertices and rows of edges in the order of a batch. Rows are written for vertex after vertex.
class batch_writer {
 public:
  batch_writer(batch& to, batch_scratch& scratch, const graph& large);

  /// The seeds as vertices [0, seeds); the first hop may follow. Errors of `sampler`.
  void begin(std::span<const std::int32_t> seeds);
  /// The same where the graph's vertices may come several times: each is a vertex of its own.
  void begin_apart(std::span<const std::int32_t> seeds);

  /// The number of a vertex, which is added where it is not there.
  std::int32_t local_of(std::int32_t vertex) {
    batch_scratch::mark& m = marks_[vertex];
    if (m.round != round_) m = {round_, add(vertex)};
    return m.local;
  }
  /// The number of a vertex that is there, else -1.
  std::int32_t find(std::int32_t vertex) const {
    const batch_scratch::mark& m = marks_[vertex];
    return m.round == round_ ? m.local : -1;
  }
  void prefetch(std::int32_t vertex) const { __builtin_prefetch(&marks_[vertex], 1); }
  /// One more vertex of the batch, without a look at whether it is there.
  std::int32_t add(std::int32_t vertex) {
    to_.vertices.push_back(vertex);
    return static_cast<std::int32_t>(to_.vertices.size() - 1);
  }
  /// The last vertices are those of a hop, and so are the last edges.
  void end_hop();
  /// All vertices that are there become seeds, and rows follow for all of them.
  void make_all_seeds();

  /// Room for so many more edges of the rows that follow; what adds edges fills it.
  void reserve_edges(std::int64_t count);
  /// Edges of `count` neighbours, which are added where they are not there. Without a branch: which of them are new is
  /// no pattern that a processor could learn.
  void reach(const std::int32_t* neighbours, const std::int64_t* ids, std::int64_t count);
  /// One edge, of a source that is there.
  void edge(std::int32_t local_source, std::int64_t id) {
    sources_[edges_] = local_source;
    ids_[edges_++] = id;
  }
  /// The row ends with the last edge that is there, or after so many edges from the end of the last block of rows.
  void end_row() { state_->in_offsets.push_back(edges_); }
  void end_row(std::int64_t of_block) { state_->in_offsets.push_back(block_ + of_block); }

  /// Makes the graph. Vertices without a row have no in-edges.
  void finish();

  batch& to() { return to_; }
  batch_scratch& scratch() { return scratch_; }
  std::int64_t edges() const { return edges_; }

 private:
  void start(std::span<const std::int32_t> seeds);
  void write_out_edges();

  batch& to_;
  batch_scratch& scratch_;
  const std::int64_t large_vertices_;
  batch_scratch::mark* marks_ = nullptr;
  std::uint32_t round_ = 0;
  graph::state* state_ = nullptr;
  std::int32_t* sources_ = nullptr;  // of the room that is there
  std::int64_t* ids_ = nullptr;
  std::int64_t edges_ = 0, block_ = 0;
};

}  // namespace stg::detail
