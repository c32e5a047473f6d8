// Programs that are written anew from another, statement by statement, as most passes do.
#pragma once

#include <utility>  // move

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/attachments.hpp>  // carry_attachments
#include <stg/ir/program.hpp>      // program, blank_like

namespace stg::ir {

/// A program p, its rewritten form q, and the place of each value of p in q.
struct rewriting {
  const program& p;
  program q;
  sequence<value_id> at;  // of a value of p, its value in q; no_value: it is dropped, or its turn has not come

  constexpr explicit rewriting(const program& from) : p(from), q(blank_like(from)), at(from.size(), no_value) {}

  /// A statement of p that reads values of q.
  constexpr statement renamed(value_id i) const { return ir::renamed(p.statements.first[i], at); }
  /// The same, written as it is.
  constexpr value_id copy(value_id i) { return q.emit(renamed(i)); }

  /// Lets rule(rewriting&, i) rewrite each statement of p, in their order: it writes statements and gives the value
  /// that stands in its place, or no_value. Outputs, names, tags and checks go along, and so do scopes: a statement
  /// that the rule writes without any stands in those of the statement it is written for.
  template <class Rule> constexpr program run(Rule&& rule) {
    for (value_id i = 0, n = p.size(); i < n; ++i) {
      const int before = q.size(), scopes = p.statements.first[i].scopes;
      at.first[i] = rule(*this, i);
      if (scopes != 0)
        for (value_id k = before; k < q.size(); ++k)
          if (q.statements.first[k].scopes == 0) q.statements.first[k].scopes = scopes;
    }
    carry_attachments(p, q, at);
    return std::move(q);
  }
};

/// Runs a rule that needs no other state.
///
///   // without views
///   ir::rewritten(p, [](ir::rewriting& r, ir::value_id i) {
///     return ir::is_view(r.p[i]) ? r.at[r.p[i].operands[0]] : r.copy(i);
///   });
template <class Rule> constexpr program rewritten(const program& p, Rule&& rule) { return rewriting(p).run(rule); }

}  // namespace stg::ir
