// What fuse makes of a program is held by a constant as it was: units with whose rows and loops with whose edges they
// go over, too.
#include "symbols.hpp"
#include "symbols_of_kinds.hpp"

#include <stg/pass/frozen_fusion.hpp>
#include <stg/pass/fuse.hpp>
#include <stg/pipeline.hpp>

namespace stg {

/// Sweeps over both sets and along both relations, there and back.
constexpr auto over_sets = [](auto g) {
  auto p = g(paper);
  auto here =
      sum(softmax(p.in_edges(writes).src(sum(g(author)(known), axis<0>))) * p.in_edges(writes).src(g(author)(known)));
  auto cited = relu(here + mean(p.in_edges(cites).src(p(words))));
  return outputs(mean(g(author).out_edges(writes).dst(cited)), sum(p.out_edges(cites).dst(here)));
};
constexpr ir::program written() { return pipeline::inferred(pipeline::canonical(trace(over_sets))); }

template <class T> constexpr bool is_same(const sequence<T>& a, const sequence<T>& b) {
  if (a.size() != b.size()) return false;
  for (int k = 0; k < a.size(); ++k)
    if (a.first[k] != b.first[k]) return false;
  return true;
}
constexpr bool is_same(const pass::unit& a, const pass::unit& b) {
  if (a.kind != b.kind || a.side != b.side || a.set != b.set) return false;
  if (!is_same(a.statements, b.statements) || !is_same(a.stages, b.stages) || a.loops.size() != b.loops.size())
    return false;
  for (int k = 0; k < a.loops.size(); ++k)
    if (a.loops[k].side != b.loops[k].side || a.loops[k].relation != b.loops[k].relation ||
        !is_same(a.loops[k].statements, b.loops[k].statements) || !is_same(a.loops[k].results, b.loops[k].results))
      return false;
  return true;
}

constexpr bool is_kept() {
  constexpr int size = written().size();
  const pass::fusion made = pass::fuse(written()), held = pass::frozen_fusion<size>(made).thaw();
  if (made.units.size() < 4 || made.units.size() != held.units.size()) return false;
  int sets = 0, relations = 0;
  for (int u = 0; u < made.units.size(); ++u) {
    if (!is_same(made.units[u], held.units[u])) return false;
    sets |= 1 << made.units[u].set;
    for (const pass::edge_loop& loop : made.units[u].loops) relations |= 1 << loop.relation;
  }
  const bool all_are_there = sets == (1 << 1 | 1 << 2) && (relations & (1 << 3 | 1 << 4)) == (1 << 3 | 1 << 4);
  return all_are_there && is_same(made.unit_of, held.unit_of) && is_same(made.stored, held.stored);
}
static_assert(is_kept());

}  // namespace stg
