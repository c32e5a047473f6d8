// Long rows of a sweep: the edges of a hub are cut into parts, which threads take side by side.
//
// Loop by loop, every part is a run of the sweep over that one row, up to the loop, which takes the edges of the part
// alone; what it writes of the row lies in memory of the thread's own. The parts' results are combined in ascending
// order. Then the sweep goes over all rows, and where one is long it finds there what its loops would make.
//
// Where loops go over several relations, a row may be long in one and not in another, whose edges every run takes
// whole.
//
// Which rows are cut where depends on the graph alone: so do bits. A sweep is compiled once for both; all that is known
// of its program here is a plan as data.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cpu/context.hpp>     // launch
#include <stg/codegen/cpu/sweep_part.hpp>  // sweep_part, sweep_function
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/runtime/adjacency.hpp>       // long_rows

namespace stg::cpu {

/// What the loops of a unit make of its long rows. In memory: a record for every part of a relation's, then one for
/// every long row of each relation, each with all results of the unit; then, of every thread, the rows that a part
/// writes and where all values lie.
class long_row_results {
 public:
  /// call: to outlive this.
  long_row_results(const plan_data& plan, int unit, const launch& call, std::byte* memory);

  /// Bytes of memory for so many threads; 0 where no row is long.
  std::int64_t bytes(std::int64_t threads) const;

  /// Computes them for the long rows among `rows`, and returns what a run over these is to know: this, or null where
  /// none is long. Scratch: of every thread, `scratch_bytes` from that of `rows` on.
  const long_row_results* compute(const sweep_part& rows, std::int64_t scratch_bytes, std::int64_t threads,
                                  sweep_function run) const;

  /// Where values of one row lie.
  struct row_values {
    std::byte* const* memory;
    const std::int64_t* offsets;
    std::byte* scratch;
    std::int64_t row;
  };
  /// What a run, over `part` of the row or all of it, is to do for a loop: take the edges of the part that is returned,
  /// or nothing, since the results of the loop have been put where it would; then null is returned.
  const part_of_row* part_for(int loop, const part_of_row* part, const row_values& row) const;

 private:
  enum class copy_direction { to_record, from_record };
  struct range {
    int first, last;
  };
  const adjacency& edges_of(int loop) const { return codegen::edges_of(plan_.loops[loop], call_); }
  const long_rows& cut_of(int loop) const { return edges_of(loop).long_rows(); }
  range long_rows_of(int loop, std::int64_t first, std::int64_t last) const;
  template <class Body> void for_each_result(const Body& body) const;
  template <class Body> void for_each_row(const Body& body) const;
  void copy(int loop, const row_values& row, std::byte* record, copy_direction where) const;
  void run_part(const sweep_part& rows, int loop, int part, std::byte* scratch, std::byte* own,
                sweep_function run) const;
  std::byte** point_to_own(std::byte* own, std::byte* const* memory, std::int64_t row) const;
  void join(int loop, int at) const;
  std::byte* part_record(std::int64_t part) const { return memory_ + part * record_bytes_; }
  std::byte* row_record(int loop, int at) const;

  const plan_data& plan_;
  int unit_;
  const launch& call_;
  const std::int64_t* extents_;
  std::byte* memory_;
  std::int64_t rows_ = 0, parts_ = 0;  // long ones of all relations, and parts of one relation's at most
  std::int64_t record_bytes_ = 0, own_bytes_ = 0;
};

}  // namespace stg::cpu
