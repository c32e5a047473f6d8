// Memory that batches are made in, one after another.
#pragma once

#include "sampled_rows.hpp"    // sampled_rows
#include "vertex_numbers.hpp"  // vertex_numbers, vertex_marks

#include <array>    // array
#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t
#include <utility>  // pair
#include <vector>   // vector

namespace stg::detail {

/// The rows of a set in the batch that is made. References are to members of the batch.
struct written_set {
  vertex_numbers numbers;
  std::vector<std::int32_t>& vertices;
  std::vector<std::int64_t>& offsets;
  std::vector<std::int32_t>& roots;
};
/// The rows of a relation.
struct written_relation {
  sampled_rows rows;
  std::vector<std::int64_t>& offsets;
  std::vector<float>& edge_weights;
  std::vector<std::int32_t>& earlier_degrees;
};

/// Of one thread at a time: arrays over all vertices of each set of the large graph, and what draws need.
struct batch_scratch {
  std::vector<vertex_marks> marks{};                  // by set
  std::vector<written_set> sets{};                    // of the batch that is made
  std::vector<written_relation> relations{};          // likewise
  std::vector<std::vector<std::int64_t>> excluded{};  // by relation: edges, ascending

  static constexpr std::int64_t rows_at_once = 64;
  std::vector<std::int64_t> positions{};                // of the edges that were drawn for some rows
  std::array<std::int64_t, rows_at_once> ends{};        // of those rows in `positions`
  std::vector<std::int32_t> neighbours{};               // of those edges
  std::vector<std::uint64_t> bits{};                    // of a long row; all 0 between draws
  std::vector<std::pair<double, std::int64_t>> keys{};  // of edges with weights
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

}  // namespace stg::detail
