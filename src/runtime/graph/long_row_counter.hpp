// How many rows of a graph are long while its edges come and go.
#pragma once

#include "sorted_edges.hpp"  // edge_span

#include <stg/runtime/long_rows.hpp>    // long_row_edges_of_host
#include <stg/runtime/step_graphs.hpp>  // step_graphs

#include <algorithm>  // max
#include <cstdint>    // int32_t, int64_t
#include <vector>     // vector

namespace stg::detail {

/// Counts them from edges that change, since a store of changes has no step's rows before the step is shown.
class long_row_counter {
 public:
  explicit long_row_counter(std::int64_t vertices) : in_(vertices), out_(vertices) {}

  /// by: 1 where edges come, -1 where they go.
  void change(edge_span edges, std::int32_t by) {
    for (std::int64_t e = 0; e < edges.size; ++e) {
      in_.change(destination_of(edges.keys[e]), by);
      out_.change(source_of(edges.keys[e]), by);
    }
  }
  /// Counts a step among those of which the most are kept.
  void count_step(step_graphs& to) const {
    in_.count_step(to.in_long);
    out_.count_step(to.out_long);
  }

 private:
  struct side {
    std::vector<std::int32_t> degrees;
    std::int32_t count = 0, parts = 0;

    explicit side(std::int64_t vertices) : degrees(static_cast<std::size_t>(vertices)) {}
    static std::int32_t parts_of(std::int32_t degree) {
      return degree > long_row_edges_of_host ? (degree - 1) / long_row_edges_of_host + 1 : 0;
    }
    void change(std::int32_t row, std::int32_t by) {
      std::int32_t& degree = degrees[static_cast<std::size_t>(row)];
      const std::int32_t before = parts_of(degree);
      degree += by;
      const std::int32_t now = parts_of(degree);
      parts += now - before;
      count += (now > 0) - (before > 0);
    }
    void count_step(long_rows& most) const {
      most.part_edges = long_row_edges_of_host;
      most.count = std::max(most.count, count);
      most.parts = std::max(most.parts, parts);
    }
  };
  side in_, out_;
};

}  // namespace stg::detail
