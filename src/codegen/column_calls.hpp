// One run of a sweep that ranks share by columns: rows to all ranks, columns of all rows, rows back to their owners.
#pragma once

#include <array>        // array
#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/codegen/column_sweeps.hpp>  // column_sweep
#include <stg/codegen/launch.hpp>         // launch
#include <stg/codegen/plan_data.hpp>      // plan_data
#include <stg/runtime/rank_rows.hpp>      // rank_rows

#include "column_shares.hpp"  // column_shares

namespace stg::codegen {

/// Bytes that ranks send for a sweep, all together: by columns, there and back, as far as rows are other ranks'.
std::int64_t column_bytes(const column_shares& shares, const rank_rows& of);
/// Bytes of messages that a rank sends and awaits for the sweep at once, before it or behind it.
std::int64_t column_messages(const column_shares& shares, const rank_rows& of);
/// Bytes that the sweep takes of a rank's workspace for columns of all rows.
std::int64_t column_memory(const column_shares& shares, const rank_rows& of);

/// Bytes of workspace that a plan's sweeps by columns need, one at a time; 0 of a part that is cut by rows. Of the
/// launch sizes are read, and what it has of other ranks. steps: of the plan's scans.
std::int64_t column_workspace(const plan_data& plan, const launch& l, const step_program* steps);

class column_call {
 public:
  /// l: the call, as its part of the graph sees it, with workspace for the sweep. tags: of the rows that come, and of
  /// those that go back.
  column_call(const plan_data& plan, const column_sweep& sweep, const launch& l, std::array<std::uint64_t, 2> tags,
              std::string_view name);

  void run();

 private:
  using values = sequence<int>;
  using places = std::vector<std::byte*>;  // by statement

  communicator& ranks() const { return *of_.ranks; }
  std::int64_t row_bytes(int value) const { return bytes_of_row(plan_, value, call_.extents); }
  bool is_of_edges(int value) const { return plan_.statements[value].where == ir::space::edge; }

  void lay_out();
  void run_rows(int first_step, int last_step);
  void run_columns();
  void run_kernel(const cpu::column_kernel& kernel, std::size_t group);

  std::int64_t rows_of(int rank, int value) const;
  template <class Body> void each_row(int rank, int value, const Body& body) const;
  template <class Body> void each_group(int value, const Body& body) const;
  void send_rows(int to);
  void take_rows(int from, const std::byte* rows);
  void send_back(int to);
  void take_back(int from, const std::byte* rows);
  void take_own(bool there);
  template <class Send, class Take>
  void exchange(std::uint64_t tag, const char* what, const values& all, bool there, const Send& send, const Take& take);
  std::int64_t bytes_between(const values& all, int owner, int computes) const;

  const plan_data& plan_;
  const column_sweep& sweep_;
  launch call_;
  const rank_rows& of_;
  const whole_rows& whole_;
  column_shares shares_;
  std::array<std::uint64_t, 2> tags_;
  std::string_view name_;
  values made_;                    // that other ranks compute columns of: all others are there already
  places own_{};                   // own rows, all columns
  std::vector<places> columns_{};  // by group of own columns: all rows; what has no columns lies at one place for all
  std::byte* workspace_ = nullptr;
  std::vector<unsigned char> has_columns_{};
};

}  // namespace stg::codegen
