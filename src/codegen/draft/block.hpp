// Some rows of a unit, statement by statement: what a thread does of a draft.
#pragma once

#include <algorithm>  // max, min
#include <cstddef>    // byte
#include <cstdint>    // int64_t
#include <vector>     // vector

#include <stg/codegen/draft/plan.hpp>  // batch_limits, launch
#include <stg/op/list.hpp>             // info_of
#include <stg/runtime/adjacency.hpp>   // adjacency

#include "../../runtime/kernels/draft_table.hpp"  // draft_table, draft_operands
#include "watching.hpp"                           // watching

namespace stg::drafts {

using codegen::launch;
using codegen::plan_data;

/// Columns [first, last) of some: those that a sweep computes of values that have them.
struct column_range {
  std::int64_t columns = 1, first = 0, last = 1;
  const unsigned char* has_columns = nullptr;  // by statement; null: all columns of all values
};

/// A sum of neighbours' rows, of which each element is multiplied by a weight of its edge and its head: both are read
/// where they lie. A head is what one weight is for; a weight without features is for the whole row.
struct weighted_sum {
  int aggregate = 0;
  int weight = 0;  // a value of edges
  int table = 0;   // a value of vertices
};

/// A plan, and what a call knows of its values.
struct drafted_plan {
  const plan_data& data;
  const ir::flags& read_one_by_one;  // made.hpp
  std::int64_t* widths;              // elements of a row
  std::int64_t* offsets;             // where a value's rows lie in a thread's scratch, in the unit at hand
  batch_limits most;
  watching& watched;
  column_range columns{};
  const std::vector<weighted_sum>* weighted = nullptr;  // of the loops at hand; null: products are written out
};

/// How many rows and edges a thread takes at a time, and where its scratch has room for operands.
struct scratch_layout {
  std::int64_t rows = 0, edges = 0;
  std::int64_t operand = 0;  // the first of those places
  std::int64_t operand_bytes = 0;
  std::int64_t bytes = 0;
};
inline constexpr int operand_places = 4;  // for three operands that are written out, and a row that one is made of

/// Whether statement i picks from a graph's value in memory: a table that all rows read where it lies.
inline bool picks_from_table(const plan_data& data, int i) {
  if (op::info_of(data.statements[i].code).moves != op::movement::from_entry) return false;
  const int table = data.root(data.statements[i].operands[0]);
  const ir::statement& s = data.statements[table];
  return s.where == ir::space::graph && (data.stored[table] || s.code == ir::opcode::input);
}

/// Bytes of an array in scratch.
constexpr std::int64_t padded(std::int64_t n) { return (n + 127) / 64 * 64; }

/// A call's widths and offsets lie before all else in its workspace.
inline std::int64_t bytes_of_numbers(const plan_data& data) {
  return padded(2 * data.size * std::int64_t{sizeof(std::int64_t)});
}
void find_widths(const drafted_plan& plan, const launch& l);

/// Lays out a unit's scratch; writes the plan's offsets, -1 for values that have no place in it.
scratch_layout lay_out(const drafted_plan& plan, int unit);

/// Rows of vertices, or edges at positions [first, first + count) of the unit's side.
struct batch {
  ir::domain where = ir::space::vertex;
  std::int64_t first = 0, count = 0;
};

class block {
 public:
  block(const drafted_plan& of, int unit, const scratch_layout& room, const launch& call, std::byte* scratch);

  /// Steps of the unit for rows [first, last), a block of them at a time.
  void run(std::int64_t first, std::int64_t last);

 private:
  // ---- values ----
  const ir::statement& at(int i) const { return plan_.data.statements[i]; }
  std::int64_t row_bytes(int i) const { return plan_.widths[i] * bytes_of(at(i).type); }
  bool is_in_memory(int root) const { return plan_.data.stored[root] || at(root).code == ir::opcode::input; }
  /// Where the batch's rows of a value lie, null where whoever reads them writes them: sources. Of a graph value the
  /// row.
  std::byte* place(int root, const batch& b) const;
  std::byte* operand_place(int k) const { return scratch_ + room_.operand + k * room_.operand_bytes; }
  /// The batch's rows of value i as they are, one after the other; written to operand place k where they lie elsewhere.
  const std::byte* rows_of(int i, const batch& b, int k) const;
  /// The same as rows of statement s, to which they broadcast. repeats: all are one number.
  const std::byte* broadcast(int i, const ir::statement& s, std::int64_t width, const batch& b, int k,
                             bool& repeats) const;
  double number_of(const ir::statement& s) const;

  /// Shows rows that were just computed to who watches them.
  void show(int i, int where, const batch& b) const;

  // ---- statements ----
  void compute(int i, const batch& b, std::byte* to) const;
  void write_source(const ir::statement& s, std::int64_t width, const batch& b, std::byte* to) const;
  void draw_mask(const ir::statement& s, std::int64_t width, const batch& b, std::byte* to) const;
  /// Of rows that were drawn with all columns, those at hand, one behind the other.
  void leave_columns(const ir::statement& s, std::int64_t width, std::int64_t rows, std::byte* of) const;
  void write_pointwise(int i, const batch& b, std::byte* to) const;
  /// By the type of the last operand.
  draft_pointwise pointwise_kernel(const ir::statement& s, scalar_type from) const;
  void write_feature(int i, const batch& b, std::byte* to) const;
  void reduce(int i, const batch& b, std::byte* to) const;
  void move_runs(int i, const batch& b, std::byte* to) const;
  void move_entries(int i, const batch& b, std::byte* to) const;
  void gather(int i, const batch& b, std::byte* to) const;

  // ---- loops ----
  void run_loop(const pass::planned_loop& loop, const batch& rows);
  void begin(int result, const batch& rows) const;
  void take(int result, const batch& rows, const batch& b) const;
  void finish(int result, const batch& rows) const;
  void take_exponentials(int result, const batch& rows, const batch& b) const;
  /// Whether it is one; then it is taken.
  bool take_weighted(int result, const batch& rows, const batch& b) const;
  void take_first(int result, const batch& rows, const batch& b) const;
  void write_edges(int result, const batch& b) const;
  /// What an aggregate keeps beside its rows.
  std::byte* state(int result) const;
  /// Calls body(row, its first edge in the batch, number of its edges there) for rows with edges in the batch.
  template <class Body> void for_each_row(const batch& rows, const batch& b, const Body& body) const;
  std::int64_t end_of_batch(std::int64_t k, std::int64_t last_row) const;

  const drafted_plan& plan_;
  const scratch_layout& room_;
  const launch& call_;
  const draft_table& kernels_;
  std::byte* scratch_;
  adjacency edges_;  // of the loop at hand, before it of the unit's first
  const pass::planned_unit& unit_;
  pass::sweep_side side_;
  batch block_{};                    // the rows at hand
  mutable std::int64_t row_at_ = 0;  // of the first edge of the batch at hand
};

template <class Body> void block::for_each_row(const batch& rows, const batch& b, const Body& body) const {
  const std::int64_t end = b.first + b.count, last = rows.first + rows.count;
  for (std::int64_t row = row_at_; row < last && edges_.begin(row) < end; ++row) {
    const std::int64_t from = std::max(edges_.begin(row), b.first), to = std::min(edges_.end(row), end);
    if (from < to) body(row, from - b.first, to - from);
  }
}

}  // namespace stg::drafts
