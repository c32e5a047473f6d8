// Long rows of a sweep: the edges of a hub are cut into parts, and threads take them side by side.
//
// Loop by loop, every part is a run of the sweep over the one row, up to the loop, which takes the edges of the part
// alone; the run writes the row in memory of its thread. The parts' results are combined in ascending order. Then the
// sweep goes over all rows, and for a long one it finds the results of its loops there.
//
// If loops go over several relations, a row may be long in one and short in the others: every run takes the edges of
// these whole.
//
// The cuts depend on the graph alone, and so do bits. A sweep is compiled once for both; its program is known here only
// as a plan in data.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/cpu/context.hpp>     // launch
#include <stg/codegen/cpu/sweep_part.hpp>  // sweep_part, sweep_function
#include <stg/codegen/plan_data.hpp>       // plan_data
#include <stg/runtime/adjacency.hpp>       // long_rows

namespace stg::cpu {

/// Results of a unit's loops for its long rows. In memory: a record for every part of a relation's, then one for every
/// long row of each relation, each with all results of the unit; then, of every thread, the rows that a part writes and
/// the addresses of all values.
class long_row_results {
 public:
  /// call: to outlive this.
  long_row_results(const plan_data& plan, int unit, const launch& call, std::byte* memory);

  /// Bytes of memory for so many threads; 0 if no row is long.
  std::int64_t bytes(std::int64_t threads) const;

  /// Computes them for the long rows among `rows`, and returns them for a run over these; null if no row is long.
  /// Scratch: of every thread, `scratch_bytes` from the scratch of `rows` on.
  const long_row_results* compute(const sweep_part& rows, std::int64_t scratch_bytes, std::int64_t threads,
                                  sweep_function run) const;

  /// Addresses of the values of one row.
  struct row_values {
    std::byte* const* memory;
    const std::int64_t* offsets;
    std::byte* scratch;
    std::int64_t row;
  };
  /// The work of a run for a loop, over `part` of the row or all of it: returns the part whose edges to take, or null
  /// if the results of the loop have been put in their places already.
  const part_of_row* part_for(int loop, const part_of_row* part, const row_values& row) const;

 private:
  enum class copy_direction { to_record, from_record };
  struct range {
    int first, last;
  };
  const adjacency& edges_of(int loop) const { return codegen::edges_of(plan_.loops[loop], graph_); }
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
  const graph_view& graph_;
  const std::int64_t* extents_;
  std::byte* memory_;
  std::int64_t rows_ = 0, parts_ = 0;  // long ones of all relations, and parts of one relation's at most
  std::int64_t record_bytes_ = 0, own_bytes_ = 0;
};

}  // namespace stg::cpu
