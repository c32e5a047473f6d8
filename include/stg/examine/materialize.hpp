// The values that a well-known rule would keep in memory, for comparison with the values that fuse stores.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/examine/users.hpp>  // users
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of

namespace stg::examine {

/// Values worth storing for their multiple predecessors and multiple successors, as in pytato's materialize_with_mpms:
/// a value is stored if more than one statement reads it and it is computed from more than one stored value, directly
/// or through values that are not stored. Inputs and outputs are stored, and so are operands and results of scans;
/// other sources are not. A mark for each statement; linear. values_in_memory gives the values that stg stores instead.
constexpr ir::flags stored_by_mpms(const ir::program& p) {
  struct stored_below {  // up to two of the stored values below: more do not matter
    ir::value_id first = ir::no_value, second = ir::no_value;
    constexpr void add(ir::value_id i) {
      if (i == ir::no_value || i == first || second != ir::no_value) return;
      (first == ir::no_value ? first : second) = i;
    }
  };
  const users readers(p);
  ir::flags stored(p.size(), 0);
  sequence<stored_below> below(p.size());
  for (const ir::output& o : p.outputs) stored[o.at] = 1;
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::bind) stored[s.operands[1]] = 1;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const ir::statement& s = p[i];
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      if (stored[x]) {
        below[i].add(x);
        continue;
      }
      below[i].add(below[x].first);
      below[i].add(below[x].second);
    }
    const bool is_given = s.code == ir::opcode::input || s.code == ir::opcode::result;
    if (ir::is_part_of_scan(s.code)) continue;
    if (is_given || (below[i].second != ir::no_value && readers.of(i).size() > 1)) stored[i] = 1;
  }
  return stored;
}

}  // namespace stg::examine
