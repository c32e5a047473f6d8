// The rows of a sweep with the edges that its loops go over, cut into parts for threads. Where the loops are over
// several relations, a row counts with its edges in each of them.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/launch.hpp>     // graph_view
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::cpu {

class swept_rows {
 public:
  /// graph: as the unit sees it. All three are to outlive this.
  swept_rows(const codegen::plan_data& plan, int unit, const codegen::graph_view& graph);

  /// Parts: many, so that one with hubs, or a processor that others use, too, keeps no thread waiting in the end; of a
  /// large graph longer ones, each of which begins with rows that were not prefetched. A small graph is one part:
  /// too little work to wake a thread for.
  std::int64_t parts() const;
  /// The first row of a part when they are divided into parts of equal work, edges + rows: as adjacency::split.
  std::int64_t split(std::int64_t part, std::int64_t parts) const;

 private:
  std::int64_t edges_before(std::int64_t row) const;

  const codegen::plan_data& plan_;
  int unit_;
  const codegen::graph_view& graph_;
  bool goes_over_several_ = false;  // relations
};

}  // namespace stg::cpu
