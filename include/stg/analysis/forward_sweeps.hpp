// forward_sweeps: sums of a gradient that a sweep of the forward program can form on its way.
//
// A sum over edges that needs no cotangent can be formed before there is one. Where a sweep of the forward program
// reads all the edge operands of the sum, forming it there costs arithmetic and one row per vertex, and the gradient
// does not read its neighbours' rows once more. factor writes sums of this kind, save moves them.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/program.hpp>      // program
#include <stg/op/list.hpp>         // info_of
#include <stg/analysis/users.hpp>  // reachable

namespace stg::pass {

constexpr bool is_owner_gather(const ir::statement& s, ir::direction side) { return s.code == ir::owner_gather(side); }

/// Of a joint program: its first outputs are the forward program's, its inputs from an entry on are cotangents.
class forward_sweeps {
 public:
  constexpr forward_sweeps(const ir::program& joint, int forward_outputs, int first_cotangent)
      : p(joint),
        forward(reachable(joint, forward_outputs)),
        after_cotangent(joint.statements.size(), 0),
        stamp(joint.statements.size(), 0) {
    for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
      const ir::statement& s = p[i];
      unsigned char& mine = after_cotangent[i];
      mine = s.code == ir::opcode::input && s.entry() >= first_cotangent;
      for (int k = 0; k < s.arity(); ++k) mine = mine || after_cotangent[s.operands[k]];
      if (forward[i] && op::info_of(s.code).kind == op::category::aggregate) sums.push_back(readings_of(i));
    }
  }

  constexpr bool is_forward(ir::value_id i) const { return forward[i]; }
  constexpr bool needs_cotangent(ir::value_id i) const { return after_cotangent[i]; }

  /// Whether one sweep of the forward program reads everything that an aggregate reads along its edges, except values
  /// its owner holds once there is a cotangent.
  constexpr bool read(ir::value_id aggregate) {
    const reads wanted = readings_of(aggregate);
    if (!wanted.possible || wanted.values.empty()) return false;
    for (const reads& known : sums)
      if (known.side == wanted.side && holds_all(known.values, wanted.values)) return true;
    return false;
  }
  /// An aggregate of the gradient that the forward program can compute.
  constexpr bool can_compute(ir::value_id i) {
    return op::info_of(p[i].code).kind == op::category::aggregate && !is_forward(i) && !needs_cotangent(i) && read(i);
  }

 private:
  struct reads {
    ir::direction side{};
    sequence<ir::value_id> values{};  // gathers, edge inputs, masks: values not computed from others per edge
    bool possible = true;
  };

  static constexpr bool holds_all(const sequence<ir::value_id>& known, const sequence<ir::value_id>& wanted) {
    for (ir::value_id i : wanted) {
      int k = 0;
      while (k < known.size() && known[k] != i) ++k;
      if (k == known.size()) return false;
    }
    return true;
  }

  constexpr reads readings_of(ir::value_id aggregate) {
    reads r;
    r.side = p[aggregate].side();
    ++now;
    collect(p[aggregate].operands[0], r);
    return r;
  }
  constexpr void collect(ir::value_id i, reads& r) {
    const ir::statement& s = p[i];
    if (s.where != ir::space::edge) {
      r.possible = r.possible && !needs_cotangent(i);
      return;
    }
    if (stamp[i] == now) return;
    stamp[i] = now;
    const op::category kind = op::info_of(s.code).kind;
    if (kind == op::category::pointwise || kind == op::category::feature) {
      for (int k = 0; k < s.arity(); ++k) collect(s.operands[k], r);
    } else if (needs_cotangent(i)) {
      r.possible = r.possible && is_owner_gather(s, r.side);
    } else {
      r.values.push_back(i);
    }
  }

  const ir::program& p;
  ir::flags forward;
  ir::flags after_cotangent;
  sequence<reads> sums{};  // of the forward program's aggregates
  sequence<int> stamp;     // the last collection seen
  int now = 0;
};

}  // namespace stg::pass
