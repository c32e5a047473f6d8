// kept: a lambda's words on how values are kept for the gradient, by value.
//
// All of them are decisions of the program. Read by save, once, and by stg::differentiate. A program without words
// costs one look at its decisions.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/decisions.hpp>   // scope_ways
#include <stg/ir/program.hpp>     // program, keeping

namespace stg::pass {

/// The ways in which a program's values are to be kept. forward[i]: value i is one of the forward program, and no part
/// of the gradient; statements of the gradient have the scopes of the statements they differentiate.
class kept_ways {
 public:
  constexpr kept_ways(const ir::program& of, const ir::flags& forward) {
    if (!says_anything(of)) return;
    const ir::scope_ways by_scope(of);
    ways.assign(of.size(), keeping::chosen);
    for (ir::value_id i = 0; i < of.size(); ++i)
      if (forward[i]) ways[i] = by_scope.of(of[i]);
    take_words(of, forward);
    spread(of);
  }

  constexpr keeping of(ir::value_id i) const { return ways.empty() ? keeping::chosen : ways.first[i]; }
  /// To be saved where the gradient reads it.
  constexpr bool is_saved(const ir::program& p, ir::value_id i) const {
    return of(i) == keeping::everything || (of(i) == keeping::all_but_edges && p[i].where != ir::space::edge);
  }
  /// Never to be saved.
  constexpr bool is_made_again(const ir::program& p, ir::value_id i) const {
    return of(i) != keeping::chosen && !is_saved(p, i);
  }

  /// Of the program alone, not of the programs it calls.
  static constexpr bool says_anything(const ir::program& p) {
    bool any = false;
    for (const ir::decision& d : p.decisions)
      any = any || (d.what == ir::decided::keep && ir::way_of(d) != keeping::chosen);
    return any;
  }

 private:
  /// A word about a value goes before its scope. Equal values are one by now; of several words about them, the one that
  /// saves most counts.
  constexpr void take_words(const ir::program& p, const ir::flags& forward) {
    ir::flags has_word(p.size(), 0);
    for (const ir::decision& d : p.decisions) {
      if (d.what != ir::decided::keep || !d.is_of_values() || !forward[d.at]) continue;
      ways[d.at] = has_word[d.at] ? ir::more_saving(ways[d.at], ir::way_of(d)) : ir::way_of(d);
      has_word[d.at] = 1;
    }
  }
  /// A value recomputed from inputs has its operands recomputed too, unless the user gave one a word.
  constexpr void spread(const ir::program& p) {
    for (ir::value_id i = p.size() - 1; i >= 0; --i) {
      if (ways[i] != keeping::inputs) continue;
      for (int k = 0; k < p[i].arity(); ++k)
        if (ways[p[i].operands[k]] == keeping::chosen) ways[p[i].operands[k]] = keeping::inputs;
    }
  }

  sequence<keeping> ways{};  // empty: nothing is said
};

/// A program with all values kept in one way, also in the steps of its scans and the programs it calls, except values
/// with a word of their own: as if its lambda had said keep(v, way).
constexpr ir::program kept_throughout(ir::program p, keeping way) {
  ir::drop_decisions(p, [](const ir::decision& d) { return d.what == ir::decided::keep && !d.is_of_values(); });
  if (way != keeping::chosen) p.decide(ir::of_whole(ir::decided::keep, static_cast<std::int64_t>(way)));
  for (ir::program& c : p.callees) c = kept_throughout(c, way);
  return p;
}

}  // namespace stg::pass
