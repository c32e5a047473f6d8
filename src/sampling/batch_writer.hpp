// Writing a batch: which vertex of the large graph has which number in it, edges row by row, and the graph they make.
#pragma once

#include "sampled_rows.hpp"    // sampled_rows
#include "scratch_pool.hpp"    // pool_of
#include "vertex_numbers.hpp"  // vertex_numbers, vertex_marks

#include <stg/sampling/batch.hpp>  // batch

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t
#include <span>     // span
#include <utility>  // pair
#include <vector>   // vector

namespace stg::detail {

/// Arrays over all vertices of the large graph, and what draws need, of one thread at a time.
struct batch_scratch {
  vertex_marks marks{};

  static constexpr std::int64_t rows_at_once = 64;
  std::vector<std::int64_t> positions{};                // of the edges that were drawn for some rows
  std::array<std::int64_t, rows_at_once> ends{};        // of those rows in `positions`
  std::vector<std::int32_t> neighbours{};               // of those edges
  std::vector<std::uint64_t> bits{};                    // of a long row; all 0 between draws
  std::vector<std::pair<double, std::int64_t>> keys{};  // of edges with weights
  std::vector<std::int64_t> excluded{};                 // edges, ascending
  std::vector<double> sums{};                           // of weights of a row, of squares of candidates

  // Of layers alone: vertices that may be drawn, numbered in the order in which they are met.
  vertex_marks candidate_marks{};
  std::vector<std::int32_t> counts{};  // (candidates) how often each was drawn
  std::int32_t candidates = 0;

  void start_candidates(std::int64_t vertices) {
    candidate_marks.start(vertices);
    candidates = 0;
  }
  std::int32_t candidate(std::int32_t vertex) {
    vertex_mark& m = candidate_marks.of[static_cast<std::size_t>(vertex)];
    if (m.round != candidate_marks.round) m = {candidate_marks.round, candidates++};
    return m.local;
  }
};

struct scratch_pool : pool_of<batch_scratch> {};

/// The first so many of `count`, which are a batch's seeds or true pairs. Error where there are not as many.
std::int64_t checked_first(std::int64_t first, const char* what, std::int64_t count);
/// True at the first so many vertices, in the memory of a tensor of that shape. Error as above.
void write_seed_mask(std::int64_t seeds, std::int64_t vertices, tensor<bool>& into);
/// 1 for the first so many pairs, else 0. Error as above.
tensor<float> targets_of_pairs(std::int64_t true_pairs, std::size_t pairs);

/// The same graph. Error for one of several kinds of vertices.
const graph& of_one_kind(const graph& g);

/// Takes vertices and rows of edges in the order of a batch. Rows are written for vertex after vertex.
class batch_writer {
 public:
  batch_writer(batch& to, batch_scratch& scratch, const graph& large);

  /// The seeds as vertices [0, seeds); the first hop may follow. Errors of `sampler`.
  void begin(std::span<const std::int32_t> seeds);
  /// The same where the graph's vertices may come several times: each is a vertex of its own.
  void begin_apart(std::span<const std::int32_t> seeds);

  std::int32_t local_of(std::int32_t vertex) { return numbers_.local_of(vertex); }
  std::int32_t find(std::int32_t vertex) const { return numbers_.find(vertex); }
  void prefetch(std::int32_t vertex) const { numbers_.prefetch(vertex); }
  std::int32_t add(std::int32_t vertex) { return numbers_.add(vertex); }
  /// The last vertices are those of a hop, and so are the last edges.
  void end_hop();
  /// All vertices that are there become seeds, and rows follow for all of them.
  void make_all_seeds();

  void reserve_edges(std::int64_t count) { rows_.reserve(count); }
  /// Edges of `count` neighbours, which are added where they are not there.
  void reach(const std::int32_t* neighbours, const std::int64_t* ids, std::int64_t count) {
    numbers_.number(neighbours, count, rows_.next_sources());
    rows_.add(ids, count);
  }
  /// One edge, of a source that is there.
  void edge(std::int32_t local_source, std::int64_t id) { rows_.add(local_source, id); }
  void end_row() { rows_.end_row(); }
  void end_row(std::int64_t of_block) { rows_.end_row(of_block); }

  /// Makes the graph. Vertices without a row have no in-edges.
  void finish();

  batch& to() { return to_; }
  batch_scratch& scratch() { return scratch_; }
  std::int64_t edges() const { return rows_.edges(); }

 private:
  void start(std::span<const std::int32_t> seeds);

  batch& to_;
  batch_scratch& scratch_;
  const std::int64_t large_vertices_;
  vertex_numbers numbers_;
  sampled_rows rows_{};
};

}  // namespace stg::detail
