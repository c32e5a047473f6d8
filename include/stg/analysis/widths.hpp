// widths: the types that the values of a program are to lie in where they are stored, as decided of values, of scopes
// and of the whole.
//
// Registers compute in f32; rows of bf16 or f16 take half the memory and half the bandwidth. The rules here look at the
// program alone. The plan adds the last one: a value that lies in no memory is never rounded (pass/width.hpp).
#pragma once

#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/decisions.hpp>      // scope_widths, width_of
#include <stg/ir/program.hpp>        // program
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/unit.hpp>     // reads_whole_rows

namespace stg::pass {

/// Why a value lies in memory as wide as it is computed, whatever is decided.
enum class kept_wide : int {
  no,
  other_type,  // its numbers are no f32
  input,       // it lies in memory of the caller
  output,      // the caller reads it
  made_anew,   // a constant, a degree, an index or a mask is made wherever it is read
  of_graph,    // one for the whole graph takes no memory to speak of
  by_steps,    // a scan, a message or a product of edges writes its rows whole
  compared,    // a gradient asks whether a maximum equals its operand
  read_whole,  // a scan, a message, a scattered sum or a sparse product reads its rows as they are
  inlined      // no row of it lies in memory
};

/// Whether an operation reads rows of two bytes a number as it reads those of f32: its operand k.
constexpr bool reads_narrow_rows(ir::opcode code, int k) {
  return code == ir::opcode::reduced_matmul || code == ir::opcode::sum_vertices ||
         (code == ir::opcode::matmul && k == 0);
}

class widths {
 public:
  /// results: how many outputs the caller reads; the others are saved for a gradient.
  constexpr widths(const ir::program& of, int results, const choices& chosen) : p(of), by(chosen) {
    why.assign(p.size(), kept_wide::no);
    const ir::promises says(p);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (says.is_inlined(i)) why[i] = kept_wide::inlined;
      look_at(i);
    }
    for (int k = 0; k < results; ++k) why[root_of(p, p.outputs[k].at)] = kept_wide::output;
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (const kept_wide own = of_itself(p[i]); own != kept_wide::no) why[i] = own;
    find_compared();
    decide();
  }

  /// Whether anything is decided about widths, of the program alone, not of the programs that it calls.
  static constexpr bool are_decided(const ir::program& p) { return ir::decides_width(p); }

  /// f32: as it is computed. Of the value that a view shows.
  constexpr scalar_type of(ir::value_id i) const { return types[root_of(p, i)]; }
  constexpr kept_wide reason(ir::value_id i) const { return why[root_of(p, i)]; }

 private:
  constexpr kept_wide of_itself(const ir::statement& s) const {
    const op::category kind = op::info_of(s.code).kind;
    if (s.code == ir::opcode::input) return kept_wide::input;
    if (kind == op::category::source) return kept_wide::made_anew;
    if (s.where == ir::space::graph) return kept_wide::of_graph;
    const bool is_of_steps = kind == op::category::call || kind == op::category::message || s.is_sequence();
    if (is_of_steps || s.code == ir::opcode::result) return kept_wide::by_steps;
    if (s.where == ir::space::edge && kind == op::category::dense) return kept_wide::by_steps;
    const bool is_widened = s.code == ir::opcode::cast && is_storage(p.operand(s, 0).type);
    return s.type == scalar_type::f32 && !is_widened ? kept_wide::no : kept_wide::other_type;
  }
  /// What a statement asks of its operands.
  constexpr void look_at(ir::value_id i) {
    const ir::statement& s = p[i];
    const op::category kind = op::info_of(s.code).kind;
    const bool takes_whole = kind == op::category::dense || kind == op::category::reduction ||
                             kind == op::category::call || kind == op::category::message;
    for (int k = 0; k < s.arity() && takes_whole; ++k)
      if (!reads_narrow_rows(s.code, k)) why[root_of(p, s.operands[k])] = kept_wide::read_whole;
    if (op::info_of(s.code).compares) why[i] = why[root_of(p, s.operands[0])] = kept_wide::compared;
  }
  /// A gradient asks which elements of an operand equal a maximum of it. Either may be computed again, of saved values:
  /// so all that it asks about is unrounded, with what that is computed from in registers.
  constexpr void find_compared() {
    ir::flags compared(p.size(), 0);
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      const ir::statement& s = p[i];
      if (compared[i] && why[i] == kept_wide::no) why[i] = kept_wide::compared;
      const bool goes_on = s.code == ir::opcode::equal || (compared[i] && !reads_whole_rows(s));
      for (int k = 0; k < s.arity() && goes_on; ++k) compared[s.operands[k]] = 1;
    }
  }
  constexpr void decide() {
    types.assign(p.size(), scalar_type::f32);
    const ir::scope_widths by_scope(p);
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (why[i] == kept_wide::no && is_wide_row(i)) types[i] = by_scope.of(p[i]);
    ir::flags has_word(p.size(), 0);
    for (const ir::decision& d : p.decisions) {
      if (d.what != ir::decided::width || !d.is_of_values()) continue;
      const ir::value_id i = root_of(p, d.at);
      if (why[i] != kept_wide::no) continue;
      const bool differ = has_word[i] && types[i] != ir::width_of(d);  // equal values are one by now: the wider counts
      types[i] = differ ? scalar_type::f32 : ir::width_of(d);
      has_word[i] = 1;
    }
  }
  /// Decisions of scopes and of the whole leave a few numbers a row as they are: scores, maxima and norms would save
  /// little, and lose digits that whole rows are weighed with. So are such values side by side.
  constexpr bool is_wide_row(ir::value_id i) const {
    const ir::statement& s = p[root_of(p, i)];
    if (op::joins(s.code)) return is_wide_row(s.operands[0]) || is_wide_row(s.operands[1]);
    return !s.dims.is_static() || s.dims.size() > by.few_numbers;
  }

  const ir::program& p;
  const choices& by;
  sequence<kept_wide> why{};      // by value
  sequence<scalar_type> types{};  // by value; of views nothing is known
};

}  // namespace stg::pass
