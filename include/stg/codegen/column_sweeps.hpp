// column_sweeps: the sweeps of a plan that ranks of a cut graph can share by columns of features, rather than by rows.
//
// Where each column of a sweep's results is made of the same column of what it reads, as in a sum of neighbours, or
// each head of the same head, as in attention, a rank computes some columns of all rows. Each rank has the whole graph
// for it. Rows come before the sweep and go after it, from each rank to each other one: (own rows, all columns) become
// (all rows, own columns), and back. So a rank has its share of the sweep however the graph is cut, and every sum has
// the whole graph's order.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/base/sequence.hpp>      // sequence
#include <stg/codegen/launch.hpp>     // rows_there
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::codegen {

/// Steps of a unit that are computed by columns: its loops, and what lies between them. Steps before and after them are
/// computed by rows.
struct column_sweep {
  int unit = 0;
  int first_step = 0, last_step = 0;
  std::int64_t columns = 0;  // how many, as the code of an extent

  /// Of a value: the same for all columns; one behind the other of them; a record of several, of which slices are read.
  enum value_kind : unsigned char { unread, whole, by_columns, record };
  sequence<unsigned char> kinds{};  // by statement, of those that the steps read or make
  struct part {
    std::int64_t first = 0, length = 0;  // elements
    bool has_columns = false;
    constexpr bool operator==(const part&) const = default;
  };
  struct packed_value {
    int value = 0;
    sequence<part> parts{};  // of its rows, one behind the other, those that are read
  };
  sequence<packed_value> records{};

  sequence<int> read{};  // values in memory, or of earlier steps, whose rows the steps read: of vertices or edges
  sequence<int> made{};  // values of these steps that lie in memory, or that later steps of the unit read
  sequence<int> kept{};  // values of the unit that lie in no memory of the plan, and are read from one step to others
  sequence<int> neighbours{};  // values of which the steps read neighbours' rows

  constexpr value_kind kind_of(int i) const { return static_cast<value_kind>(kinds[i]); }
  constexpr bool has_columns(int i) const { return kind_of(i) == by_columns || kind_of(i) == record; }
};

/// The sweeps of a plan that are shared by columns, in order: sweeps along one direction of a plain graph's edges, in
/// loops without an operation on several columns, which read neighbours' rows that other ranks compute: inputs' rows
/// are on each rank, as are values made of inputs. The plan alone decides, so all ranks find the same. there: by entry
/// of its inputs; null: all rows of all.
std::vector<column_sweep> column_sweeps_of(const plan_data& plan, const rows_there* there);

/// Columns [first, last) of so many, of one of several ranks.
struct column_share {
  std::int64_t first = 0, last = 0;
};
constexpr column_share columns_of_rank(std::int64_t columns, int rank, int ranks) {
  return {columns * rank / ranks, columns * (rank + 1) / ranks};
}

/// The axis that columns lie along: the first that is longer than one, or -1.
constexpr int column_axis(const ir::shape& dims) {
  for (int a = 0; a < dims.rank; ++a)
    if (dims.axes[a].code != 1) return a;
  return -1;
}

/// Bytes of a row, one range behind the other.
struct row_pieces {
  struct piece {
    std::int64_t first = 0, bytes = 0;
  };
  std::vector<piece> all{};
  std::int64_t bytes = 0;
};
/// What a share of columns has of a value's row.
row_pieces pieces_of(const plan_data& plan, const column_sweep& sweep, int value, column_share share,
                     const std::int64_t* extents);

}  // namespace stg::codegen
