// Values that a value is computed from: other values, inputs, named extents; and the values that lie in memory.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/base/text.hpp>      // text
#include <stg/examine/walk.hpp>   // node_of, walk
#include <stg/ir/callees.hpp>     // arguments_of
#include <stg/ir/program.hpp>     // program
#include <stg/pass/fuse.hpp>      // fuse

namespace stg::examine {

/// All statements that some values are computed from, in program order. The values themselves are left out unless one
/// needs the other. Linear. Throws value_is_unknown.
constexpr sequence<ir::value_id> dependencies_of(const ir::program& p, const sequence<ir::value_id>& of) {
  ir::flags read(p.size(), 0);
  walk(
      p, of, [](node) { return true; },
      [&](node n) {
        for (int k = 0; k < n.arity(); ++k) read[n.operand(k).at] = 1;
      });
  sequence<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (read[i]) found.push_back(i);
  return found;
}
constexpr sequence<ir::value_id> dependencies_of(const ir::program& p, ir::value_id of) {
  return dependencies_of(p, sequence<ir::value_id>{of});
}
/// The dependencies of a value within a set, also through statements outside it. set: a mark for each statement. Throws
/// value_is_unknown, and set_is_of_another_program if it has more or fewer marks.
constexpr sequence<ir::value_id> dependencies_within(const ir::program& p, ir::value_id of, const ir::flags& set) {
  if (set.size() != p.size()) throw set_is_of_another_program(set.size(), p.size());
  sequence<ir::value_id> found;
  for (const ir::value_id i : dependencies_of(p, of))
    if (set[i]) found.push_back(i);
  return found;
}

namespace detail {

/// Marks needed statements, in a program and in the steps of its scans: of a step, the operands of the needed results,
/// through carried values, too; not operands read only by a value's own gradient. Every statement is visited once.
class need_marker {
 public:
  constexpr need_marker() = default;
  constexpr explicit need_marker(const ir::program& of)
      : p(&of), needed(of.size(), 0), reads(of.inputs.size(), 0), list_at(of.size(), -1) {}

  constexpr void need(ir::value_id at) {
    put(at);
    while (!pending.empty()) {
      const ir::value_id i = pending.back();
      pending.pop_back();
      const ir::statement& s = (*p)[i];
      if (s.code == ir::opcode::input) read(s.entry());
      else if (s.code == ir::opcode::result) need_result(s.operands[0], s.output());
      else if (ir::is_scan(s.code)) continue;  // of its list, the operands of needed results
      else
        for (int k = 0; k < s.arity(); ++k) put(s.operands[k]);
    }
  }

  /// Codes of the run-time extents that needed statements mention, as marks by entry.
  constexpr void mark_extents(ir::flags& used) const {
    for (ir::value_id i = 0; i < needed.size(); ++i) {
      if (!needed[i]) continue;
      const ir::statement& s = (*p)[i];
      for (int a = 0; a < s.dims.rank; ++a) mark_extent(s.dims.axes[a], used);
      if (s.is_sequence()) mark_extent(s.over, used);
      if (ir::attribute_is_extent(s.code)) mark_extent(ir::extent_of(s), used);
    }
    for (const need_marker& step : steps) step.mark_extents(used);
  }

  constexpr const ir::flags& values() const { return needed; }
  constexpr const ir::flags& inputs() const { return reads; }

 private:
  static constexpr void mark_extent(ir::extent e, ir::flags& used) {
    if (!e.is_static()) used[-1 - e.code] = 1;
  }
  constexpr void put(ir::value_id at) {
    if (needed[at]) return;
    needed[at] = 1;
    pending.push_back(at);
  }
  constexpr void read(int entry) {
    if (reads[entry]) return;
    reads[entry] = 1;
    read_entries.push_back(entry);
  }

  constexpr void need_result(ir::value_id from, int which) {
    const ir::statement& s = (*p)[from];
    if (list_at[from] < 0) {
      list_at[from] = lists.size();
      lists.push_back(ir::arguments_of(*p, s));
      if (!ir::is_scan(s.code)) steps.push_back(need_marker());
      else steps.push_back(need_marker(p->callees[s.callee()]));
      followed.push_back(0);
      if (ir::is_scan(s.code)) put(from);
      if (s.code == ir::opcode::scan_gradient) need_scan_of_gradient(s);
    }
    const int nth = list_at[from];
    if (!ir::is_scan(s.code)) return put(lists[nth][which]);  // a value with a gradient of its own
    const ir::program& step = p->callees[s.callee()];
    const int carried = s.carried();
    need_marker& inside = steps[nth];
    inside.need(step.outputs[which].at);
    if (which < carried) inside.read(which);  // without a step it is the initial value
    for (int& k = followed[nth]; k < inside.read_entries.size(); ++k) {
      const int e = inside.read_entries[k];
      put(lists[nth][e]);
      if (e < carried) inside.need(step.outputs[e].at);
    }
  }
  /// A gradient's steps read values of the forward steps. A later pass decides how many, so all of them are needed.
  constexpr void need_scan_of_gradient(const ir::statement& s) {
    const ir::statement& forward = (*p)[s.operands[1]];
    for (const ir::value_id x : ir::arguments_of(*p, forward)) put(x);
    put(s.operands[1]);
  }

  const ir::program* p = nullptr;
  ir::flags needed{}, reads{};
  sequence<int> read_entries{};  // marked entries, in the order of marking
  sequence<ir::value_id> pending{};
  sequence<int> list_at{};  // of each statement with results, its place in the following; -1: none is needed yet
  sequence<sequence<ir::value_id>> lists{};
  sequence<need_marker> steps{};
  sequence<int> followed{};  // of a step, how many of its entries are marked outside
};

}  // namespace detail

/// Inputs and extents that a call has to give for some values.
struct needs {
  sequence<int> inputs{};    // entries of the program's inputs, ascending
  sequence<text> extents{};  // names of run-time extents, in the order of the program's table
};

/// The inputs and named extents that some values need, through the steps of scans: of a scan, only the needs of the
/// requested results. Throws value_is_unknown.
constexpr needs needs_of(const ir::program& p, const sequence<ir::value_id>& values) {
  detail::need_marker marks(p);
  for (const ir::value_id at : values) marks.need(node_of(p, at).at);
  needs found;
  for (int e = 0; e < p.inputs.size(); ++e)
    if (marks.inputs()[e]) found.inputs.push_back(e);
  ir::flags used(p.extents.size(), 0);
  marks.mark_extents(used);
  const auto add = [&](const text& name) {
    for (const text& known : found.extents)
      if (known == name) return;
    found.extents.push_back(name);
  };
  for (int k = 0; k < p.extents.size(); ++k)
    for (int t = 0; used[k] && t < p.extents[k].count; ++t)
      for (int f = 0; f < p.extents[k].terms[t].degree; ++f) add(p.extents[k].terms[t].factors[f]);
  return found;
}
constexpr needs needs_of(const ir::program& p, ir::value_id value) {
  return needs_of(p, sequence<ir::value_id>{value});
}

/// Values that lie in memory when the program runs as it stands: inputs, and values that fuse stores for a different
/// unit or row, or for the caller. Their readers compute all others. A mark for each statement.
constexpr ir::flags values_in_memory(const ir::program& p) {
  ir::flags in = pass::fuse(p).stored;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input) in[i] = 1;
  return in;
}

}  // namespace stg::examine
