// exchanges: the values of a plan that ranks tell each other about, when each is sent and when it has to be there.
//
// A rank computes its own rows of every value. Before a unit reads rows of other ranks, as a gather of neighbours does,
// these have come; they are sent as soon as the unit that makes the value is done. Values over the whole graph are sums
// over rows: each rank adds up its own blocks of rows, and all join the blocks' sums in one order.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data
#include <stg/runtime/rank_rows.hpp>  // rank_rows

namespace stg::codegen {

/// What ranks exchange of a value.
enum class exchanged : int {
  vertices,        // rows of the halo
  edges_made_in,   // edges whose owners of destinations computed them
  edges_made_out,  // edges whose owners of sources did
  sum              // sums of blocks, or largest values
};

struct step_program;

struct exchange {
  int value = 0;  // a statement with memory of its own
  exchanged what{};
  int after = -1;          // the unit that makes it; -1: an input
  int before = 0;          // the first unit that reads it; as many as there are units: it is a result
  bool is_result = false;  // if it is read before, too

  bool operator==(const exchange&) const = default;
};

/// Whether a statement reduces rows of vertices or edges to a value of the whole graph.
bool reduces_rows(const plan_data& plan, int i);

/// The exchanges of a plan, in the order in which they begin. there: by entry of its inputs; null: all rows of all.
/// results: how many outputs are to have the rows of other ranks in the end. steps: of its scans.
std::vector<exchange> exchanges_of(const plan_data& plan, const rows_there* there, int results,
                                   const step_program* steps);

/// A plan that runs on a part of a cut graph, or on a whole one: then nothing is done.
class exchanging {
 public:
  /// l: the call, which outlives this.
  exchanging(const plan_data& plan, const launch& l, const step_program* steps);

  /// The call as units see it.
  launch shown(launch l) {
    l.others.exchanges = l.graph.ranks == nullptr ? nullptr : this;
    return l;
  }
  void begin(const launch& l) {
    if (of_ == nullptr) return;
    of_ = l.graph.ranks;  // of the step, where each has a graph
    send_after(-1, l);
  }
  void before(int unit, const launch& l) {
    if (of_ != nullptr) wait_before(unit, l);
  }
  void after(int unit, const launch& l) {
    if (of_ != nullptr) send_after(unit, l);
  }
  void end(const launch& l) {
    if (of_ != nullptr) wait_before(plan_->unit_count, l);
  }
  /// Reduces the rows of this rank's blocks; the result is there when the exchange has ended. l: as the unit sees it.
  void reduce(int i, const launch& l);

 private:
  struct under_way {
    std::uint64_t tag = 0;
    std::vector<message_room> taken{};  // by other rank, where rows do not come to their places
    std::vector<std::byte> own{};       // of a sum: its nodes
  };

  void send_after(int unit, const launch& l);
  void wait_before(int unit, const launch& l);
  void send_rows(const exchange& e, under_way& to, const launch& l);
  void take_rows(const exchange& e, under_way& from, const launch& l);
  void send_sums(const exchange& e, under_way& to, const launch& l);
  void join_sums(const exchange& e, under_way& from, const launch& l);
  /// The rows of a vertex set or relation, or of a plain graph.
  const rank_rows& rows_of(const ir::domain& where, const launch& l) const {
    return where.set == 0 ? *of_ : *l.graph.kinds[where.set].ranks;
  }
  /// Those that a sum goes over.
  const rank_rows& summed_rows(int i, const launch& l) const {
    return rows_of(plan_->statements[plan_->statements[i].operands[0]].where, l);
  }
  const std::vector<exchanged_rows>& lists(const exchange& e, const launch& l) const;
  std::string_view name_of(int value) const;
  std::int64_t row_bytes(int value, const launch& l) const;

  const plan_data* plan_ = nullptr;
  const rank_rows* of_ = nullptr;
  std::vector<exchange> all_{};
  std::vector<under_way> state_{};
};

}  // namespace stg::codegen
