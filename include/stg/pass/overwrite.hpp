// overwrite: a value may take the memory of an operand that its computation is the last to read.
//
// The gradient of attention reads a number per head for the last time in the unit that writes the gradient of its
// scores, row by row: both have the same shape, and a row's old numbers are needed for its new ones alone. Kept apart,
// both are alive in this unit, the peak of attention's memory. In the same way the gradients of a parameter shared by
// many places are added up in the memory of the first: no more than this one and the next are in memory.
//
// Runs on a plan. A value qualifies if it is computed in registers from the same element of the other: nobody else in
// the program reads the other, and no register of it is read after the same register is written. The inputs of a
// gradient lie with its call (call/memory.hpp): a saved value can be taken, unless it was also saved in another shape.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program, root_of
#include <stg/pass/plan.hpp>      // plan

namespace stg::pass {

namespace detail {

class overwriter {
 public:
  constexpr overwriter(const ir::program& of, plan& to) : p(of), made(to), readers(of.statements.size(), 0) {
    for (const ir::statement& s : p.statements)
      if (!ir::is_view(s))
        for (int k = 0, n = s.arity(); k < n; ++k) ++readers[ir::root_of(p.statements.first, s.operands[k])];
    for (const ir::output& o : p.outputs) ++readers[root_of(p, o.at)];
  }

  constexpr void run() {
    for (int u = 0; u < made.units.size(); ++u)
      for (int k = made.units[u].first_step; k < made.units[u].last_step; ++k) {
        const step& s = made.steps[k];
        if (!s.is_loop && made.stored[s.index] && is_pointwise(s.index)) find(s.index);
      }
  }

 private:
  /// Of rows of vertices, and of graph values, computed by a unit as one row.
  constexpr bool is_pointwise(ir::value_id i) const {
    return p[i].where != ir::space::edge && op::info_of(p[i].code).kind == op::category::pointwise;
  }
  /// The first candidate that `by` reads, itself or through values computed within it.
  constexpr void find(ir::value_id by) {
    sequence<ir::value_id> tree{by};
    for (int next = 0; next < tree.size(); ++next)
      for (int k = 0; k < p[tree[next]].arity(); ++k) {
        const ir::value_id x = p[tree[next]].operands[k], root = root_of(p, x);
        if (made.joined[x]) tree.push_back(x);
        else if (can_take(by, x, root) && made.overwrites[by] < 0) made.overwrites[by] = root;
      }
  }
  constexpr bool can_take(ir::value_id by, ir::value_id x, ir::value_id root) const {
    const bool in_memory = made.stored[root] || p[root].code == ir::opcode::input;
    return in_memory && p[root].where == p[by].where && p[x].dims == p[by].dims && p[root].type == p[by].type &&
           readers[root] == 1 && made.lifetimes[root].last == made.lifetimes[by].first;
  }

  const ir::program& p;
  plan& made;
  sequence<int> readers;
};

}  // namespace detail

constexpr plan overwrite(const ir::program& p, plan made) {
  detail::overwriter(p, made).run();
  return made;
}

}  // namespace stg::pass
