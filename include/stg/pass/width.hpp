// width: values that are to be stored as bf16 or f16 get rows of this type in memory, and stay f32 in registers.
//
// A cast that a lambda writes stands in the way of the order of products and sums, of hoisting and of the gradient's
// rules, and rounds values that lie in no memory at all. So the width is decided, and this pass writes the casts last,
// when the plan knows its stored values: behind each of them stands a narrow copy, and the copy alone is stored.
// Readers of the unit that makes the value have it in registers, unrounded; edges gather rows of the copy, and other
// units read its rows, each with a cast of its own in registers; products and sums over vertices read its rows as they
// are. The gradient is that of the program without widths: it was made before.
//
// Values that the forward program saves are narrow for both programs (save.hpp settles their types): outputs of the
// one behind the caller's, inputs of the other.
//
// Runs last before fuse. Fusing with the copies may store a value once more: so a second round looks.
#pragma once

#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/attachments.hpp>    // carry_attachments
#include <stg/ir/decisions.hpp>      // wide_as
#include <stg/ir/program.hpp>        // program
#include <stg/ir/rewriting.hpp>      // rewritten
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/unit.hpp>     // reads_whole_rows
#include <stg/analysis/widths.hpp>   // widths
#include <stg/pass/chain.hpp>        // chain_units
#include <stg/pass/dce.hpp>          // dce
#include <stg/pass/fuse.hpp>         // fuse
#include <stg/pass/plan.hpp>         // make_plan
#include <stg/pass/value.hpp>        // cast

namespace stg::pass {

namespace detail {

class narrower {
 public:
  constexpr narrower(const ir::program& of, int callers_outputs, bool is_of_gradient, const choices& by)
      : p(of),
        results(callers_outputs),
        f(fuse(of, by.relations)),
        type_of(of.size(), scalar_type::f32),
        from_memory(of.size(), 0) {
    const widths asked(p, results, by);
    const plan made = chain_units(p, make_plan(p, f, by));
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (made.stored[i]) type_of[i] = asked.of(i);
    for (int k = results; k < p.outputs.size(); ++k) type_of[root_of(p, p.outputs[k].at)] = asked.of(p.outputs[k].at);
    for (const ir::decision& d : p.decisions)
      if (is_of_gradient && is_of_saved(d)) type_of[d.at] = ir::width_of(d);
    find_gathers();
  }

  constexpr ir::program run() {
    q = ir::blank_like(p);
    at.assign(p.size(), ir::no_value);
    narrow_at.assign(p.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) write(i);
    carry();
    return dce(q);
  }

 private:
  constexpr bool is_narrow(ir::value_id i) const { return type_of[root_of(p, i)] != scalar_type::f32; }
  constexpr bool is_of_saved(const ir::decision& d) const {
    return d.what == ir::decided::width && d.is_of_values() && p[d.at].code == ir::opcode::input &&
           p[d.at].type == scalar_type::f32;
  }
  constexpr bool is_gather(ir::value_id i) const { return op::info_of(p[i].code).kind == op::category::gather; }

  /// Gathers that read memory: of neighbours, or of owners for the loops of other units.
  constexpr void find_gathers() {
    sequence<ir::value_id> seen_by(p.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const bool sums = op::info_of(p[i].code).kind == op::category::aggregate;
      if (sums) read_edges(i, p[i].operands[0], p[i].side(), seen_by);
      else if (p[i].where == ir::space::edge && f.unit_of[i] >= 0) read_edges(i, i, ir::direction::in, seen_by);
    }
    for (ir::value_id i = 0; i < p.size(); ++i)  // rows that a product of edges reads
      for (int k = 0; k < p[i].arity() && reads_whole_rows(p[i]); ++k)
        if (const ir::value_id x = root_of(p, p[i].operands[k]); is_gather(x)) from_memory[x] = 1;
  }
  constexpr void read_edges(ir::value_id reader, ir::value_id e, ir::direction side, sequence<ir::value_id>& seen_by) {
    if (p[e].where != ir::space::edge || seen_by[e] == reader) return;
    seen_by[e] = reader;
    if (!is_gather(e)) {
      for (int k = 0; k < p[e].arity() && !reads_whole_rows(p[e]); ++k)
        read_edges(reader, p[e].operands[k], side, seen_by);
      return;
    }
    const ir::value_id x = root_of(p, p[e].operands[0]);
    const bool is_own_row = ir::owner_side(p[e].code) == side && f.unit_of[x] == f.unit_of[reader];
    if (!is_own_row) from_memory[e] = 1;
  }

  constexpr void write(ir::value_id i) {
    const ir::statement& s = p[i];
    if (is_gather(i) && from_memory[i] && is_narrow(s.operands[0])) {
      ir::statement rows = s;
      rows.operands[0] = narrow(s.operands[0]);
      rows.type = q[rows.operands[0]].type;
      const ir::value_id row = q.emit(rows);
      at[i] = cast(row, s.type, s.scopes);
      return mark(i, rows.type == type_of[i] ? row : ir::no_value);
    }
    ir::statement copy = s;
    for (int k = 0; k < s.arity(); ++k) copy.operands[k] = operand(i, k);
    const bool is_saved = s.code == ir::opcode::input && type_of[i] != scalar_type::f32;
    if (is_saved) copy.type = type_of[i];
    const ir::value_id made = at[i] = q.emit(copy);
    if (is_saved) at[i] = cast(made, s.type, s.scopes);
    mark(i, is_saved ? made : ir::no_value);
  }
  /// Puts the narrow copy behind a value that is to have one; `known`: there it is already.
  constexpr void mark(ir::value_id i, ir::value_id known) {
    if (ir::is_view(p[i]) || type_of[i] == scalar_type::f32) return;
    narrow_at[i] = known != ir::no_value ? known : cast(at[i], type_of[i], p[i].scopes);
    q.decide(ir::wide_as(narrow_at[i], type_of[i]));
  }
  /// The operand of a statement: in registers, as rows of two bytes a number, or widened from them.
  constexpr ir::value_id operand(ir::value_id i, int k) {
    const ir::statement& s = p[i];
    const ir::value_id d = s.operands[k], x = root_of(p, d);
    if (!is_narrow(d)) return at[d];
    if (reads_narrow_rows(s.code, k)) return narrow(d);
    const bool narrows = s.code == ir::opcode::cast && is_storage(s.type);
    const bool is_row = s.where == ir::space::vertex && p[x].where == ir::space::vertex && !reads_whole_rows(s);
    const bool is_elsewhere = f.unit_of[i] >= 0 && f.unit_of[i] != f.unit_of[x];
    return is_row && is_elsewhere && !narrows ? wide(d) : at[d];
  }
  constexpr ir::value_id cast(ir::value_id x, scalar_type to, int scopes) {
    ir::statement s = q[x];
    s = ir::input_like(s, 0);
    s.code = ir::opcode::cast;
    s.operands[0] = x;
    s.type = to;
    s.scopes = scopes;
    return q.emit(s);
  }
  constexpr ir::value_id view_of(ir::value_id d, ir::value_id of) {
    ir::statement s = p[d];
    s.operands[0] = of;
    s.type = q[of].type;
    return q.emit(s);
  }
  constexpr ir::value_id narrow(ir::value_id d) {
    return ir::is_view(p[d]) ? view_of(d, narrow(p[d].operands[0])) : narrow_at[d];
  }
  constexpr ir::value_id wide(ir::value_id d) {
    return ir::is_view(p[d]) ? view_of(d, wide(p[d].operands[0])) : cast(narrow_at[d], p[d].type, p[d].scopes);
  }

  /// A value that is promised to be stored is, in its narrow copy.
  constexpr void carry() {
    ir::carry_attachments(p, q, at);
    for (int k = results; k < p.outputs.size(); ++k)
      if (is_narrow(p.outputs[k].at)) q.outputs[k].at = narrow(p.outputs[k].at);
    sequence<ir::value_id> copies(q.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (narrow_at[i] != ir::no_value) copies[at[i]] = narrow_at[i];
    for (ir::decision& d : q.decisions)
      if (d.what == ir::decided::stored && copies[d.at] != ir::no_value) d.at = copies[d.at];
  }

  const ir::program& p;
  int results;
  fusion f;
  sequence<scalar_type> type_of;  // of values whose rows are narrow in memory; f32: as it is
  ir::flags from_memory;          // by gather
  ir::program q{};
  sequence<ir::value_id> at{}, narrow_at{};
};

}  // namespace detail

/// results: how many of the outputs the caller reads; the others are saved. is_of_gradient: inputs with a decision are
/// saved values, and as narrow as it says.
constexpr ir::program width(const ir::program& p, int results, bool is_of_gradient, const choices& by = choices()) {
  if (!widths::are_decided(p)) return p;
  const ir::program once = detail::narrower(p, results, is_of_gradient, by).run();
  return detail::narrower(once, results, is_of_gradient, by).run();
}

/// For machines whose products and sums over vertices read floats alone: their narrow operands are widened in memory
/// first, once for all that read them.
constexpr ir::program read_wide_rows(const ir::program& p) {
  return ir::rewritten(p, [&](ir::rewriting& r, ir::value_id i) {
    ir::statement s = r.renamed(i);
    for (int k = 0; k < s.arity(); ++k)
      if (reads_narrow_rows(s.code, k) && is_storage(r.q.operand(s, k).type))
        s.operands[k] = cast(value{&r.q, s.operands[k]}, s.type).id;
    return r.q.emit(s);
  });
}

}  // namespace stg::pass
