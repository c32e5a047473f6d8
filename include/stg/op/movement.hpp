// Operations that compute nothing: each element of the result is an element of an operand, or 0. Which one.
#pragma once

#include <stg/ir/statement.hpp>  // statement, extent

namespace stg::op {

/// How elements go from the operands to the result. An element of the result that none goes to is 0.
enum class movement : int {
  none,        // elements are computed
  whole,       // all elements, in their order
  swap,        // all elements; two axes change places
  runs,        // runs of an axis, each element with everything to the right of the axis
  from_entry,  // the entry of operand 0's first axis that operand 1, a label, names
  to_entry     // operand 0 is the entry of the result's first axis that operand 1, a label, names
};

/// Whether the result has every element of the operand, each once.
constexpr bool keeps_all(movement m) { return m == movement::whole || m == movement::swap; }
/// Whether a label says which elements move.
constexpr bool goes_by_label(movement m) { return m == movement::from_entry || m == movement::to_entry; }

/// Elements [from, from + length) of an operand's axis are elements [to, to + length) of the result's.
struct run {
  int operand = 0;
  ir::extent from = ir::extent(0), to = ir::extent(0), length = ir::extent(0);
};
/// Runs in the order of the result's axis.
struct runs {
  static constexpr int most = 2;
  run of[most]{};
  int count = 0;
  bool fill = true;  // the whole axis of the result

  constexpr const run* begin() const { return of; }
  constexpr const run* end() const { return of + count; }
};

}  // namespace stg::op
