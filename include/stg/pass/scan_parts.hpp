// Parts of a scan: its possible cuts, and the parts they make (split_steps.hpp, split_sums.hpp).
#pragma once

#include <stg/base/sequence.hpp>             // sequence
#include <stg/ir/attachments.hpp>            // carry_names, carry_tags, carry_decisions
#include <stg/ir/program.hpp>                // program
#include <stg/ir/rewriting.hpp>              // rewritten
#include <stg/analysis/choices.hpp>          // choices
#include <stg/analysis/fixed.hpp>            // fixed_values
#include <stg/analysis/reads_edges.hpp>      // reads_edges
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry
#include <stg/analysis/unit.hpp>             // reads_whole_rows
#include <stg/pass/dce.hpp>                  // dce
#include <stg/pass/hoist.hpp>                // hoist
#include <stg/pass/scan_gradient.hpp>        // emit_input

namespace stg::pass {

namespace detail {

/// The source of an input of a part: an argument of the scan, or a value collected by an earlier part.
struct part_input {
  int entry = -1;              // of the scan's step
  int part = -1, output = -1;  // if entry is -1
  bool has_each = false;       // it has a value for each step, and the step its own
};

/// A scan that is a part of a larger one; the first inputs and outputs of its step are carried.
struct scan_part {
  ir::program step{};
  sequence<part_input> inputs{};
  int carried = 0;
};

/// The part of an output of the step, and its number there.
struct part_output {
  int part = 0, output = 0;
};

/// A scan, cut again and again.
class scan_cutting {
 public:
  /// has_each: of each input of the step, whether a step has its own.
  constexpr scan_cutting(const ir::program& step, int carried, const ir::flags& has_each) {
    scan_part whole{step, {}, carried};
    for (int e = 0; e < step.inputs.size(); ++e) whole.inputs.push_back({e, -1, -1, has_each[e] != 0});
    parts.push_back(whole);
    for (int k = 0; k < step.outputs.size(); ++k) outputs.push_back({0, k});
  }

  sequence<scan_part> parts{};
  sequence<part_output> outputs{};  // by output of the step

  /// Takes out work that depends on no carried value. Returns whether there is any.
  constexpr bool cut_before(const choices& by) {
    const scan_part whole = parts[parts.size() - 1];
    sequence<int> others;
    const sequence<ir::value_id> input = inputs_by_entry(whole.step);
    for (int e = whole.carried; e < input.size(); ++e)
      if (input[e] != ir::no_value) others.push_back(e);
    hoisted cut = hoist(whole.step, others, by);
    if (cut.prologue.outputs.empty()) return false;
    const int at = parts.size() - 1;
    scan_part before, rest;
    before.step = cut.prologue;
    ir::leave_whole(before.step);
    for (ir::output& o : before.step.outputs) o.name = text();
    before.inputs = whole.inputs;
    leave_out_unread(before, 0);
    rest.step = cut.rest;
    rest.inputs = whole.inputs;
    rest.carried = whole.carried;
    for (int k = 0; k < before.step.outputs.size(); ++k) {
      rest.step.inputs[whole.inputs.size() + k].name = text();
      rest.inputs.push_back(collected(at, k));
    }
    leave_out_unread(rest, rest.carried);
    parts[at] = before;
    parts.push_back(rest);
    for (part_output& o : outputs)
      if (o.part == at) o.part = at + 1;
    return true;
  }

  /// Of the first part, which carries nothing, takes out products that no edges follow, and values made of them.
  constexpr void cut_behind_edges() {
    const ir::program& step = parts[0].step;
    ir::flags leads_to_edges(step.size(), 0), first(step.size(), 1), is_behind(step.outputs.size(), 0);
    bool has_products = false;
    for (ir::value_id i = 0; i < step.size(); ++i) leads_to_edges[i] = reads_edges(step[i]);
    add_operands(step, leads_to_edges);
    for (ir::value_id i = 0; i < step.size(); ++i) {
      bool follows = is_product(step, i) && !leads_to_edges[i];
      has_products = has_products || follows;
      for (int k = 0; k < step[i].arity(); ++k) follows = follows || !first[step[i].operands[k]];
      first[i] = !follows;
    }
    if (!reads_edges(step) || !has_products) return;
    for (int k = 0; k < is_behind.size(); ++k) is_behind[k] = !first[step.outputs[k].at];
    cut_at(0, first, is_behind);
  }

  /// Takes out work that nothing carried needs; sums_alone: of it only sums over all steps, with all collected values
  /// left in place. Returns whether there is any.
  constexpr bool cut_behind(bool sums_alone) {
    const scan_part& whole = parts[parts.size() - 1];
    const what_stays stays = stays_of(whole, sums_alone);
    if (!stays.carries || !is_worth_it(whole.step, stays.needed, stays.is_behind)) return false;
    cut_at(parts.size() - 1, stays.needed, stays.is_behind);
    return true;
  }
  /// Whether a step needs the one before it.
  constexpr bool is_recurrence() const { return stays_of(parts[parts.size() - 1], false).carries; }

  /// Of the last part takes out work behind a reduction over all vertices for each step, if rows are left.
  constexpr void cut_per_step() {
    const scan_part& whole = parts[parts.size() - 1];
    const ir::program& step = whole.step;
    ir::flags asked(step.size(), 0), follows(step.size(), 0);
    for (int k = whole.carried; k < step.outputs.size(); ++k) asked[step.outputs[k].at] = 1;
    add_operands(step, asked);
    bool any = false;
    for (ir::value_id i = 0; i < step.size(); ++i) {
      follows[i] = asked[i] && step[i].where == ir::space::graph && reads_rows(step, i);
      for (int k = 0; k < step[i].arity(); ++k) follows[i] = follows[i] || follows[step[i].operands[k]];
      any = any || follows[i];
    }
    if (!any) return;
    ir::flags first(step.size(), 0), is_behind(step.outputs.size(), 0);
    for (ir::value_id i = 0; i < step.size(); ++i) first[i] = !follows[i];
    for (int k = 0; k < is_behind.size(); ++k) is_behind[k] = follows[step.outputs[k].at];
    const ir::flags needed = with_uncut_edges(step, first);
    const sequence<ir::value_id> input = inputs_by_entry(step);
    for (int k = 0; k < is_behind.size(); ++k) {
      if (!is_behind[k]) continue;
      const bool is_read = k < whole.carried && input[k] != ir::no_value && needed[input[k]];
      if (needed[step.outputs[k].at] || is_read) return;
    }
    bool is_heavy = false;
    for (ir::value_id i = 0; i < step.size(); ++i) is_heavy = is_heavy || (needed[i] && is_product(step, i));
    if (is_heavy) cut_at(parts.size() - 1, needed, is_behind);
  }

 private:
  static constexpr part_input collected(int part, int output) {
    part_input in;
    in.part = part;
    in.output = output;
    in.has_each = true;
    return in;
  }
  static constexpr bool is_product(const ir::program& p, ir::value_id i) {
    return op::info_of(p[i].code).kind == op::category::dense && p[i].where != ir::space::graph;
  }
  static constexpr bool reads_rows(const ir::program& p, ir::value_id i) {
    for (int k = 0; k < p[i].arity(); ++k)
      if (p.operand(p[i], k).where != ir::space::graph) return true;
    return false;
  }

  /// Whether a carried value is itself and something more.
  static constexpr bool is_sum(const ir::program& step, int k) {
    const ir::statement& s = step[step.outputs[k].at];
    if (s.code != ir::opcode::add) return false;
    const ir::statement &a = step.operand(s, 0), &b = step.operand(s, 1);
    const auto is_before = [k](const ir::statement& x) { return x.code == ir::opcode::input && x.entry() == k; };
    return is_before(a) != is_before(b);
  }

  /// Statements and carried values that cannot go behind; and outputs that can.
  struct what_stays {
    ir::flags needed{}, is_behind{};
    bool carries = false;
  };
  static constexpr what_stays stays_of(const scan_part& whole, bool sums_alone) {
    const sequence<ir::value_id> input = inputs_by_entry(whole.step);
    what_stays s;
    for (int k = 0; k < whole.step.outputs.size(); ++k)
      s.is_behind.push_back(k < whole.carried ? is_sum(whole.step, k) : !sums_alone);
    for (bool settles = false; !settles;) {
      settles = true;
      s.needed = needed_for(whole, s.is_behind);
      for (int k = 0; k < whole.carried; ++k) {
        if (!s.is_behind[k] || input[k] == ir::no_value || !s.needed[input[k]]) continue;
        s.is_behind[k] = 0;
        settles = false;
      }
    }
    for (int k = 0; k < whole.carried; ++k) s.carries = s.carries || !s.is_behind[k];
    for (int k = 0; k < s.is_behind.size(); ++k) s.is_behind[k] = !s.needed[whole.step.outputs[k].at];
    return s;
  }

  /// The statements needed by outputs that stay.
  static constexpr ir::flags needed_for(const scan_part& whole, const ir::flags& is_behind) {
    const ir::program& step = whole.step;
    ir::flags needed(step.size(), 0);
    for (int k = 0; k < is_behind.size(); ++k)
      if (!is_behind[k]) needed[step.outputs[k].at] = 1;
    add_operands(step, needed);
    return with_uncut_edges(step, needed);
  }
  /// Adds statements that can only be computed beside their operands: values of edges are not collected, nor values for
  /// each step of a scan within; and a scan's list and results stay with it.
  static constexpr ir::flags with_uncut_edges(const ir::program& step, ir::flags needed) {
    for (bool grows = true; grows;) {
      grows = false;
      for (ir::value_id i = 0; i < step.size(); ++i) {
        if (needed[i]) continue;
        bool stays = false;
        for (int k = 0; k < step[i].arity(); ++k) {
          const ir::value_id x = step[i].operands[k];
          const bool is_value = !ir::is_part_of_scan(step[x].code) && !step[x].is_sequence();
          stays = stays || (needed[x] && is_computed(step[x]) && (!is_value || step[x].where == ir::space::edge));
        }
        if (!stays) continue;
        grows = true;
        needed[i] = 1;
      }
      if (grows) add_operands(step, needed);
    }
    return needed;
  }
  /// Adds their operands, and the operands of these, down to the sources.
  static constexpr void add_operands(const ir::program& step, ir::flags& values) {
    for (ir::value_id i = step.size() - 1; i >= 0; --i)
      for (int k = 0; values[i] && k < step[i].arity(); ++k) values[step[i].operands[k]] = 1;
  }
  /// Not a constant or an index, which any part can make.
  static constexpr bool is_computed(const ir::statement& s) { return s.arity() > 0 || reads_edges(s); }

  static constexpr bool is_worth_it(const ir::program& step, const ir::flags& needed, const ir::flags& is_behind) {
    bool any = false;
    for (const unsigned char behind : is_behind) any = any || behind;
    if (!any) return false;
    for (ir::value_id i = 0; i < step.size(); ++i) {
      const op::category what = op::info_of(step[i].code).kind;
      if (!needed[i] && (reads_whole_rows(step[i]) || what == op::category::aggregate)) return true;
    }
    return false;
  }

  /// Cuts a part: statements that are `first` stay, outputs that are `behind` go with the statements they need beside.
  constexpr void cut_at(int at, const ir::flags& first, const ir::flags& behind) {
    const scan_part whole = parts[at];
    scan_part front = whole;
    front.step.outputs.clear();
    for (int k = 0; k < behind.size(); ++k)
      if (!behind[k]) front.step.outputs.push_back(whole.step.outputs[k]);
    scan_part back = part_behind(whole, at, first, behind, front.step);
    leave_out_carried(front, behind);
    leave_out_unread(front, front.carried);
    leave_out_unread(back, back.carried);
    parts[at] = front;
    parts.push_back(back);
    for (int k = parts.size() - 1; k > at + 1; --k) parts[k] = parts[k - 1];
    parts[at + 1] = back;
    renumber_after_cut(at, behind);
  }
  /// The part of the outputs that go behind; `front` collects the values that it is given.
  static constexpr scan_part part_behind(const scan_part& whole, int at, const ir::flags& first,
                                         const ir::flags& behind, ir::program& front) {
    const ir::flags is_same = same_at_every_step(whole);
    scan_part back;
    back.step = ir::blank_like(whole.step);
    back.step.inputs.clear();
    ir::leave_whole(back.step);
    sequence<ir::value_id> moved(whole.step.size(), ir::no_value);
    const sequence<ir::value_id> input = inputs_by_entry(whole.step);
    for (int k = 0; k < whole.carried; ++k) {  // carried inputs come first
      if (!behind[k]) continue;
      back.inputs.push_back(whole.inputs[k]);
      ++back.carried;
      if (input[k] != ir::no_value) moved[input[k]] = emit_input(back.step, whole.step[input[k]], ir::extent(0));
      else back.step.inputs.push_back(ir::input());
    }
    const ir::flags asked = asked_behind(whole, first, behind, is_same);
    for (ir::value_id i = 0; i < whole.step.size(); ++i) {
      if (!asked[i] || moved[i] != ir::no_value) continue;
      const ir::statement& s = whole.step[i];
      if (!is_given(whole, first, is_same, i)) {
        moved[i] = back.step.emit(ir::renamed(s, moved));
        continue;
      }
      if (s.code == ir::opcode::input && s.entry() >= whole.carried) {
        back.inputs.push_back(whole.inputs[s.entry()]);
        moved[i] = emit_input(back.step, s, s.over);
        back.step.inputs[back.step.inputs.size() - 1] = whole.step.inputs[s.entry()];
        continue;
      }
      back.inputs.push_back(collected(at, collect(front, i)));
      moved[i] = emit_input(back.step, s, ir::extent(0));
    }
    for (int k = 0; k < behind.size(); ++k)
      if (behind[k]) back.step.outputs.push_back({moved[whole.step.outputs[k].at], {}});
    ir::carry_names(whole.step, back.step, moved);
    ir::carry_tags(whole.step, back.step, moved);
    ir::carry_decisions(whole.step, back.step, moved);
    return back;
  }
  /// The statements that outputs behind need there, down to the values that they are given.
  static constexpr ir::flags asked_behind(const scan_part& whole, const ir::flags& first, const ir::flags& behind,
                                          const ir::flags& is_same) {
    ir::flags asked(whole.step.size(), 0);
    for (int k = 0; k < behind.size(); ++k)
      if (behind[k]) asked[whole.step.outputs[k].at] = 1;
    for (ir::value_id i = whole.step.size() - 1; i >= 0; --i) {
      if (!asked[i] || is_given(whole, first, is_same, i)) continue;
      for (int k = 0; k < whole.step[i].arity(); ++k) asked[whole.step[i].operands[k]] = 1;
    }
    return asked;
  }
  /// Tells the readers of part `at`, and of the parts after it, their places after it has become two.
  constexpr void renumber_after_cut(int at, const ir::flags& behind) {
    sequence<part_output> now(behind.size());
    int in_front = 0, in_back = 0;
    for (int k = 0; k < behind.size(); ++k)
      now[k] = behind[k] ? part_output{at + 1, in_back++} : part_output{at, in_front++};
    for (int k = at + 2; k < parts.size(); ++k)
      for (part_input& in : parts[k].inputs) {
        if (in.entry >= 0) continue;
        const part_output o = moved_output({in.part, in.output}, at, now);
        in.part = o.part;
        in.output = o.output;
      }
    for (part_output& o : outputs) o = moved_output(o, at, now);
  }
  /// The place of an output after part `at` has become two.
  static constexpr part_output moved_output(const part_output& o, int at, const sequence<part_output>& now) {
    if (o.part == at) return now[o.output];
    return {o.part > at ? o.part + 1 : o.part, o.output};
  }
  /// Work of a part on inputs that are the same at every step, but not on edges: each step may have a graph of its own.
  static constexpr ir::flags same_at_every_step(const scan_part& part) {
    sequence<int> same;
    for (int e = part.carried; e < part.inputs.size(); ++e)
      if (!part.inputs[e].has_each) same.push_back(e);
    ir::flags is_same = fixed_values(part.step, same);
    for (ir::value_id i = 0; i < part.step.size(); ++i) {
      is_same[i] = is_same[i] && !reads_edges(part.step[i]);
      for (int k = 0; k < part.step[i].arity(); ++k) is_same[i] = is_same[i] && is_same[part.step[i].operands[k]];
    }
    return is_same;
  }
  /// Whether the part behind gets a value rather than computing it: an input, or a value that stays, unless it is the
  /// same at every step: hoist_steps has left only cheap ones in.
  static constexpr bool is_given(const scan_part& whole, const ir::flags& first, const ir::flags& is_same,
                                 ir::value_id i) {
    const ir::statement& s = whole.step[i];
    if (s.code == ir::opcode::input) return true;
    return first[i] && is_computed(s) && !is_same[i];
  }
  static constexpr int collect(ir::program& step, ir::value_id i) {
    step.outputs.push_back(ir::output{i, {}});
    return step.outputs.size() - 1;
  }

  /// Drops carried inputs that have gone behind; their outputs have.
  static constexpr void leave_out_carried(scan_part& part, const ir::flags& is_gone) {
    sequence<int> left;
    for (int e = 0; e < part.inputs.size(); ++e)
      if (e >= part.carried || !is_gone[e]) left.push_back(e);
    int gone = 0;
    for (int k = 0; k < part.carried; ++k) gone += is_gone[k] != 0;
    part.step = dce(part.step);
    keep_inputs(part, left);
    part.carried -= gone;
  }
  /// Drops inputs neither carried nor read.
  static constexpr void leave_out_unread(scan_part& part, int carried) {
    part.step = dce(part.step);
    const sequence<ir::value_id> input = inputs_by_entry(part.step);
    sequence<int> left;
    for (int e = 0; e < part.inputs.size(); ++e)
      if (e < carried || input[e] != ir::no_value) left.push_back(e);
    keep_inputs(part, left);
  }
  static constexpr void keep_inputs(scan_part& part, const sequence<int>& left) {
    sequence<int> number(part.inputs.size(), -1);
    const sequence<part_input> before = part.inputs;
    const sequence<ir::input> named = part.step.inputs;
    part.inputs.clear();
    part.step.inputs.clear();
    for (const int e : left) {
      number[e] = part.inputs.size();
      part.inputs.push_back(before[e]);
      part.step.inputs.push_back(named[e]);
    }
    part.step = ir::rewritten(part.step, [&number](ir::rewriting& r, ir::value_id i) {
      ir::statement s = r.renamed(i);
      if (s.code == ir::opcode::input) s.set_entry(number[s.entry()]);
      return r.q.emit(s);
    });
  }
};

}  // namespace detail

}  // namespace stg::pass
