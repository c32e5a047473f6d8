// sink: computes a cheap scaling at the edge to save storing a scaled copy of a wide value.
//
// gather(norm · XW) would store norm · XW, a second array as large as XW. If XW is in memory anyway (an input, or the
// result of a dense product) and norm is narrow, gather(norm) · gather(XW) reads the same rows and stores nothing.
// Likewise a feature of two bytes a number is widened after its row was gathered: half the bytes, and no widened copy.
// A quotient is none: a division for each edge costs more than a copy, which the product often writes in place of its
// own. Undoes algebra's first rule in these cases, so it runs last before fuse.
#pragma once

#include <stg/ir/program.hpp>            // program
#include <stg/ir/rewriting.hpp>          // rewritten
#include <stg/ir/decisions.hpp>          // each_output
#include <stg/analysis/choices.hpp>      // choices
#include <stg/analysis/reads_edges.hpp>  // has_edges
#include <stg/pass/cse.hpp>              // canonical
#include <stg/pass/value.hpp>            // value

namespace stg::pass {

namespace detail {

/// only_gathered[i]: every use of i is a gather, so i need not exist once its gathers are rewritten.
constexpr ir::flags only_gathered(const ir::program& p) {
  ir::flags only(p.statements.size(), 1);
  ir::each_output(p, [&](ir::value_id i) { only[i] = 0; });
  for (const ir::statement& s : p.statements) {
    const bool gather = s.code == ir::opcode::gather_src || s.code == ir::opcode::gather_dst;
    for (int k = 0; k < s.arity(); ++k)
      if (!gather) only[s.operands[k]] = 0;
  }
  return only;
}

constexpr bool is_widened(const ir::program& p, const ir::statement& s) {
  return s.code == ir::opcode::cast && is_storage(p.operand(s, 0).type);
}
/// A gather, of the stored numbers if value x is their widened form.
constexpr ir::value_id gathered(ir::program& q, const ir::statement& gather, ir::value_id x) {
  const ir::statement from = q[x];
  const ir::opcode end = gather.code;
  const int relation = gather.where.set;
  if (!is_widened(q, from)) return pass::gather(end, value{&q, x}, relation).id;
  return cast(pass::gather(end, value{&q, from.operands[0]}, relation), from.type).id;
}

/// The operand of a cheap scaling that is as wide as its result and in memory anyway, or -1.
constexpr int wide_operand(const ir::program& p, const ir::statement& s, int most_cost) {
  const op::info& known = op::info_of(s.code);
  if (known.kind != op::category::pointwise || s.arity() != 2 || known.cost > most_cost || s.dims.is_scalar())
    return -1;
  for (int k = 0; k < 2; ++k) {
    const ir::statement& wide = p.operand(s, k);
    const ir::statement& narrow = p.operand(s, 1 - k);
    const bool in_memory =
        wide.code == ir::opcode::input || op::info_of(wide.code).kind == op::category::dense || is_widened(p, wide);
    if (wide.where == ir::space::vertex && wide.dims == s.dims && in_memory &&
        (narrow.where == ir::space::graph || narrow.dims.is_scalar()))
      return k;
  }
  return -1;
}

}  // namespace detail

constexpr ir::program sink(const ir::program& p, const choices& by = choices()) {
  if (!has_edges(p)) return p;
  const ir::flags only = detail::only_gathered(p);
  return ir::rewritten(p, [&](ir::rewriting& r, ir::value_id i) {
    const ir::statement& s = p[i];
    const bool gather = s.code == ir::opcode::gather_src || s.code == ir::opcode::gather_dst;
    if (gather && only[s.operands[0]] && detail::wide_operand(p, p.operand(s, 0), by.moved_cost) >= 0) {
      ir::statement scaled = r.renamed(s.operands[0]);
      for (int k = 0; k < 2; ++k)
        if (r.q.operand(scaled, k).where == ir::space::vertex)
          scaled.operands[k] = detail::gathered(r.q, s, scaled.operands[k]);
      return emit(r.q, canonical(scaled));
    }
    if (gather && detail::is_widened(p, p.operand(s, 0))) return detail::gathered(r.q, s, r.at[s.operands[0]]);
    return r.copy(i);
  });
}

}  // namespace stg::pass
