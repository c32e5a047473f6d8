// One thread's part of a sweep: some of its rows, or some edges of a long row.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

#include <stg/codegen/launch.hpp>  // launch

namespace stg::cpu {

class long_row_results;

/// Edges of a long row for one of its loops.
struct part_of_row {
  int loop;
  std::int64_t begin, end;
};

/// Rows of a sweep that one thread computes.
struct sweep_part {
  const codegen::launch& call;
  const std::int64_t* offsets;  // of values in scratch
  std::int64_t edges_at_a_time;
  std::byte* scratch;
  std::int64_t first, last;
  const long_row_results* long_rows = nullptr;  // results of loops for long rows; null: all rows are treated alike
  const part_of_row* part = nullptr;            // the only work to do on the row, a long one
};
using sweep_function = void (*)(const sweep_part&);

}  // namespace stg::cpu
