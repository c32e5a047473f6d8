// inline_promised: writes values promised to be inlined once more for each unit that reads them, so that none of them
// has to lie in memory.
//
// fuse stores a value read by several units, or by other rows. For plain arithmetic this is a choice: each of these
// units can compute it again, from its operands. Edges that read a neighbour's value read its operands there and
// compute it for each edge. A value in registers stays as it is.
//
// Runs last before fuse, since every earlier pass would merge the copies again. Products, sums over edges or vertices
// and scans have no copies, nor have outputs and values that products, reductions and scans read row by row: their
// promises are refused (promise.hpp).
#pragma once

#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/attachments.hpp>    // carry_labels, carry_attachments
#include <stg/ir/program.hpp>        // program
#include <stg/ir/decisions.hpp>      // promises, each_output
#include <stg/op/list.hpp>           // info_of
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/unit.hpp>     // reads_whole_rows
#include <stg/pass/fuse.hpp>         // fuse

namespace stg::pass {

namespace detail {

class promise_inliner {
 public:
  constexpr promise_inliner(const ir::program& of, const choices& by)
      : p(of), f(fuse(of, by.relations)), is_needed_whole(of.size(), 0), is_copied(of.size(), 0), copies(of.size()) {}

  constexpr ir::program run(const ir::promises& says) {
    if (!find_copied(says)) return p;
    q = ir::blank_like(p);
    at.assign(p.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      if (is_copied[i]) continue;
      const ir::statement& s = p[i];
      const bool gathers = op::info_of(s.code).kind == op::category::gather;
      at[i] = gathers && is_copied[s.operands[0]] ? copy_for(s.operands[0], end_of(s)) : q.append(with_operands(i));
    }
    carry();
    return q;
  }

 private:
  /// The reader of a copy: a unit, by its number, or edges that gather it, by -1 - 2 · relation, less one of
  /// destinations.
  struct copy {
    int reader = 0;
    ir::value_id made = ir::no_value;
  };

  constexpr void need_whole(ir::value_id i) { is_needed_whole[root_of(p, i)] = 1; }
  /// Whether there is anything to copy.
  constexpr bool find_copied(const ir::promises& says) {
    ir::each_output(p, [this](ir::value_id i) { need_whole(i); });
    for (const ir::statement& s : p.statements)
      for (int k = 0; k < s.arity() && reads_whole_rows(s); ++k) need_whole(s.operands[k]);
    ir::flags may_be(p.size(), 0);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      if (is_needed_whole[i] || s.where != ir::space::vertex) continue;
      const op::category kind = op::info_of(s.code).kind;
      const bool is_chain = kind == op::category::pointwise || kind == op::category::feature;
      may_be[i] = ir::is_view(s) ? may_be[s.operands[0]] : is_chain && says.is_inlined(i);
      is_copied[i] = may_be[i] && f.stored[root_of(p, i)];
    }
    for (ir::value_id i = p.size() - 1; i >= 0; --i)  // or the operands of a copy would have to be stored for it
      for (int k = 0; k < p[i].arity() && is_copied[i]; ++k)
        if (may_be[p[i].operands[k]]) is_copied[p[i].operands[k]] = 1;
    for (ir::value_id i = 0; i < p.size(); ++i)  // a view is of no unit, but its copy would be
      if (ir::is_view(p[i]) && may_be[i] && is_copied[p[i].operands[0]]) is_copied[i] = 1;
    bool any = false;
    for (const unsigned char c : is_copied) any = any || c;
    return any;
  }

  static constexpr int end_of(const ir::statement& gather) {
    return -1 - 2 * gather.where.set - (gather.code == ir::opcode::gather_dst ? 1 : 0);
  }
  constexpr ir::statement with_operands(ir::value_id i) {
    ir::statement s = p[i];
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      s.operands[k] = is_copied[x] ? copy_for(x, f.unit_of[i]) : at[x];
    }
    return s;
  }
  /// The operands of a copy.
  constexpr ir::value_id value_for(ir::value_id i, int reader) {
    if (is_copied[i]) return copy_for(i, reader);
    if (reader >= 0 || p[i].where != ir::space::vertex) return at[i];
    ir::statement s;
    s.code = (-1 - reader) % 2 == 0 ? ir::opcode::gather_src : ir::opcode::gather_dst;
    s.where = ir::domain(ir::space::edge, (-1 - reader) / 2);
    s.type = p[i].type;
    s.dims = p[i].dims;
    s.scopes = p[i].scopes;
    s.operands[0] = at[i];
    return q.emit(s);
  }
  constexpr ir::value_id copy_for(ir::value_id i, int reader) {
    for (const copy& c : copies[i])
      if (c.reader == reader) return c.made;
    ir::statement s = p[i];
    if (reader < 0) s.where = ir::domain(ir::space::edge, (-1 - reader) / 2);
    for (int k = 0; k < s.arity(); ++k) s.operands[k] = value_for(s.operands[k], reader);
    const ir::value_id made = reader < 0 ? q.emit(s) : q.append(s);
    copies[i].push_back({reader, made});
    return made;
  }

  /// Names go to the first copy, since a name stands for one value; tags and decisions to all.
  constexpr void carry() {
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (is_copied[i] && !copies[i].empty()) at[i] = copies[i][0].made;
    ir::carry_attachments(p, q, at);
    ir::program more;
    sequence<ir::value_id> same;
    for (const ir::tag& t : p.tags)
      for (const copy& c : copies[t.at]) more.tags.push_back({t.name, c.made, t.axis});
    for (const ir::decision& d : p.decisions)
      for (int k = 0; d.whom == ir::decided_of::value && k < copies[d.at].size(); ++k)
        more.decisions.push_back(ir::of_value(d.what, copies[d.at][k].made, d.number));
    for (ir::value_id i = 0; i < q.size(); ++i) same.push_back(i);
    ir::carry_tags(more, q, same);
    ir::carry_decisions(more, q, same);
  }

  const ir::program& p;
  fusion f;
  ir::program q{};
  ir::flags is_needed_whole, is_copied;
  sequence<sequence<copy>> copies;
  sequence<ir::value_id> at{};
};

}  // namespace detail

constexpr ir::program inline_promised(const ir::program& p, const choices& by = choices()) {
  const ir::promises says(p);
  if (!says.any_inlined()) return p;  // no conditional operator: g++ 12 frees its temporary twice
  return detail::promise_inliner(p, by).run(says);
}

}  // namespace stg::pass
