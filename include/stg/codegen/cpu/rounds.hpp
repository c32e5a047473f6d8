// Edge values that a sweep along out-edges reads, put into its order first.
//
// They lie by edge id, so that each costs the sweep a cache line (edge_order.hpp of the runtime). Moved, they are read
// in one stream. The copy takes memory: as much as what the sweep computes at most, or the sweep is run in rounds, over
// some of the rows each.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>   // plan_data
#include <stg/codegen/launch.hpp>      // launch
#include <stg/codegen/plan_view.hpp>   // index_list
#include <stg/runtime/edge_order.hpp>  // edge_order

namespace stg::cpu {

/// The numbers that a sweep reads of edges, if they can be moved: rows of 4 or 8 bytes, along out-edges alone, and ids
/// of edges are needed to read them and for nothing else. Of the plan, its units, steps, loops and what these list are
/// looked at.
struct ordered_values {
  static constexpr int most = 16;
  codegen::index_list<most> at;  // statements; none where they are not moved

  ordered_values() = default;
  ordered_values(const codegen::plan_data& plan, int unit);
};

/// How a sweep goes over the rows of a call: in one round, or several, each over rows whose edge values were put in
/// order before.
class rounds {
 public:
  rounds(const codegen::plan_data& plan, int unit, const codegen::launch& l);

  /// Bytes of workspace before that of the sweep.
  std::int64_t bytes(const codegen::launch& l) const;

  /// Calls body(launch, round, rounds) for every round: with the rows split(round, rounds) to split(round + 1, rounds)
  /// of the launch's adjacencies. memory: room for an address of every statement.
  template <class Body> void run(const codegen::launch& call, std::byte** memory, const Body& body) const {
    codegen::launch mine = call;
    mine.resources.workspace += bytes(call);
    if (blocks_ == 0 || call.graph.out.order() == nullptr) return body(mine, 0, 1);
    for (std::int64_t round = 0; round < count_; ++round) {
      const bool in_order = order(call, round, memory);
      mine.memory = in_order ? memory : call.memory;
      mine.graph.out = in_order ? call.graph.out.in_order() : call.graph.out;
      body(mine, round, count_);
    }
  }

 private:
  std::int64_t row(int k) const;
  std::int64_t row_of_all() const;
  int same_before(const codegen::launch& l, int k) const;
  bool order(const codegen::launch& l, std::int64_t round, std::byte** memory) const;

  const codegen::plan_data& plan_;
  ordered_values values_;
  std::int64_t count_ = 1;   // rounds
  std::int64_t blocks_ = 0;  // that a round puts in order; 0: none
};

}  // namespace stg::cpu
