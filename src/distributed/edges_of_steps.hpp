// The edges that any step of a graph that changes has, and how much work all steps are.
#pragma once

#include <stg/runtime/graph.hpp>        // graph
#include <stg/runtime/step_graphs.hpp>  // step_graphs

#include <cstdint>  // int64_t, uint64_t
#include <span>     // span
#include <vector>   // vector

namespace stg::detail {

class edges_of_steps {
 public:
  edges_of_steps(step_graphs& steps, std::int64_t vertices);

  /// Each edge once.
  const graph& edges() const { return edges_; }
  /// How often an edge is there, by its id: parallel ones of a step are several.
  std::span<const std::int64_t> times() const { return times_; }
  std::int64_t times(std::int64_t edge) const { return times_[static_cast<std::size_t>(edge)]; }
  std::int64_t all_times() const { return all_times_; }
  /// A vertex and its edges of both directions, at all steps.
  std::span<const std::int64_t> work() const { return work_; }
  std::int64_t work(std::int64_t vertex) const { return work_[static_cast<std::size_t>(vertex)]; }

 private:
  graph edges_;
  std::vector<std::int64_t> times_{}, work_{};
  std::int64_t all_times_ = 0;
};

}  // namespace stg::detail
