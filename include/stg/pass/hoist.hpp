// hoist: cuts a program whose inputs are partly fixed into a prologue, which runs once, and the rest.
//
// The rest reads the prologue's results as further inputs. The last fixed value before an unfixed one is kept if it is
//
//   made of an aggregate, a dense product or a reduction            work that fixing an input is there to save
//   stored by the rest in every call anyway                         a gather, a dense product or an output reads it
//   one number per vertex that costs something, such as 1/√degree   read in place of its operands
//
// Anything else is computed at its readers: sources, cheap arithmetic, values wider than all their operands, and
// per-edge values, which would cost memory in |E|. Runs after aggregate_first, which knows the fixed values, and before
// autodiff, so that nothing is differentiated without need.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/larger.hpp>       // larger
#include <stg/base/sequence.hpp>     // sequence
#include <stg/base/taken_names.hpp>  // taken_names
#include <stg/ir/attachments.hpp>    // carry_attachments
#include <stg/ir/program.hpp>        // program
#include <stg/ir/decisions.hpp>      // each_output
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/effects.hpp>  // forget_messages
#include <stg/analysis/fixed.hpp>    // fixed_values
#include <stg/analysis/unit.hpp>     // reads_whole_rows
#include <stg/pass/dce.hpp>          // dce

namespace stg::pass {

/// Two programs with the inputs of the original one. Output k of the prologue is a further input of the rest, the k-th
/// behind these.
struct hoisted {
  ir::program prologue{};
  ir::program rest{};
};

namespace detail {

class hoisting {
 public:
  constexpr hoisting(const ir::program& of, const sequence<int>& entries, const choices& chosen)
      : p(of),
        by(chosen),
        fixed(fixed_values(p, entries)),
        heavy(p.statements.size(), 0),
        cost(p.statements.size(), 0),
        needed(p.statements.size(), 0),
        stored(p.statements.size(), 0),
        kept(p.statements.size(), 0),
        slices_of(p.size(), 0) {
    for (const ir::statement& s : p.statements)
      if (ir::takes_part(s.code)) ++slices_of[s.operands[0]];
    for (const ir::input& in : p.inputs) names.add(in.name);
  }

  constexpr hoisted run() {
    weigh();
    choose();
    hoisted h;
    h.prologue = p;
    h.prologue.outputs.clear();
    h.prologue.checks.clear();
    forget_messages(h.prologue, [](const ir::statement&) { return true; });
    h.rest = ir::blank_like(p);
    sequence<ir::value_id> at(p.statements.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (!needed[i]) continue;
      at[i] = kept[i] ? keep(h, i) : h.rest.emit(ir::renamed(p[i], at));
    }
    ir::carry_attachments(p, h.rest, at);
    h.prologue = dce(h.prologue);
    return h;
  }

 private:
  constexpr op::category kind_of(ir::value_id i) const { return op::info_of(p[i].code).kind; }

  constexpr int most_counted() const { return larger(by.kept_row_cost, by.kept_number_cost); }

  /// Costs of values, counted from the sources.
  constexpr void weigh() {
    for (ir::value_id i = 0; i < p.size(); ++i) {
      heavy[i] = reads_whole_rows(p[i]) || kind_of(i) == op::category::aggregate;
      cost[i] = op::info_of(p[i].code).cost;
      for (int k = 0; k < p[i].arity(); ++k) {
        heavy[i] |= heavy[p[i].operands[k]];
        cost[i] += cost[p[i].operands[k]];
        if (cost[i] > most_counted()) cost[i] = most_counted() + 1;
      }
    }
  }

  /// From the outputs down to the kept values.
  constexpr void choose() {
    ir::each_output(p, [this](ir::value_id i) { store(i); });
    for (const ir::label_range& c : p.checks) {
      needed[c.labels] = 1;
      if (c.mask != ir::no_value) needed[c.mask] = 1;
    }
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (!needed[i]) continue;
      if (fixed[i] && is_worth_keeping(i)) {
        kept[i] = 1;
        continue;
      }
      const bool is_list = p[i].code == ir::opcode::bind;
      const bool stores =
          reads_whole_rows(p[i]) || is_list || kind_of(i) == op::category::gather || (ir::is_view(p[i]) && stored[i]);
      for (int k = 0; k < p[i].arity(); ++k) {
        needed[p[i].operands[k]] = 1;
        if (stores && !(is_list && k == 0)) store(p[i].operands[k]);
      }
    }
  }
  constexpr void store(ir::value_id i) { needed[i] = stored[i] = 1; }

  constexpr bool is_worth_keeping(ir::value_id i) const {
    const ir::statement& s = p[i];
    if (s.code == ir::opcode::result) return true;
    if (kind_of(i) == op::category::call) return false;
    if (kind_of(i) == op::category::source || s.where == ir::space::edge) return false;
    if (ir::is_view(s)) return false;  // the value whose memory it shares is kept
    if (ir::takes_part(s.code) && slices_of[s.operands[0]] > 1) return false;  // of a kept row
    if (reads_whole_rows(p[i]) || kind_of(i) == op::category::aggregate || stored[i]) return true;
    if (widens(s)) return false;
    return heavy[i] || cost[i] > by.kept_row_cost ||
           (s.where == ir::space::vertex && s.dims.is_scalar() && cost[i] >= by.kept_number_cost);
  }
  /// Wider than every row it is computed from, so that these are less to read.
  constexpr bool widens(const ir::statement& s) const {
    if (s.code == ir::opcode::broadcast_to || ir::places_part(s.code)) return true;
    if (op::info_of(s.code).kind != op::category::pointwise) return false;
    for (int k = 0; k < s.arity(); ++k) {
      const ir::statement& x = p.operand(s, k);
      if (x.where != s.where) continue;
      const ir::polynomial size = p.size_of(x.dims);
      if (x.dims == s.dims || (size.fits() && size == p.size_of(s.dims))) return false;
    }
    return true;
  }

  constexpr ir::value_id keep(hoisted& h, ir::value_id i) {
    const int number = h.prologue.outputs.size();
    text name("kept ");
    name.append_number(static_cast<std::uint64_t>(number));
    ir::input in;
    in.name = names.free(name);
    ir::output o;
    o.at = i;
    o.name = in.name;
    h.prologue.outputs.push_back(o);
    h.rest.inputs.push_back(in);
    return h.rest.emit(ir::input_like(p[i], h.rest.inputs.size() - 1));
  }

  const ir::program& p;
  const choices& by;
  ir::flags fixed, heavy;  // heavy: an aggregate, a dense product or a reduction went into it
  sequence<int> cost;      // of arithmetic, per element; no more than one above most_counted()
  ir::flags needed, stored;
  ir::flags kept;
  sequence<int> slices_of;  // number of slices, by their operand
  taken_names names{};      // of inputs
};

}  // namespace detail

/// `entries`: the fixed inputs.
constexpr hoisted hoist(const ir::program& p, const sequence<int>& entries, const choices& by = choices()) {
  return detail::hoisting(p, entries, by).run();
}

}  // namespace stg::pass
