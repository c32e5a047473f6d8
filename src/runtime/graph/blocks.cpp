// The rows and edges of each hop of a sample: the first ones of its sets and relations.
#include "blocks_state.hpp"  // blocks
#include "graph_state.hpp"   // graph_access, state
#include "kind_table.hpp"    // kind_table, quote

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <string>   // to_string
#include <utility>  // move

namespace stg {

void blocks::state::copy_to(location where, state& to) const {
  to.whole = whole.to(where);
  to.sets = sets, to.relations = relations;
  to.sampled_hops = sampled_hops, to.is_whole = is_whole, to.seed_set = seed_set;
  detail::copied_arrays arrays;
  nothing.copy_to(arrays, to.nothing), counted.copy_to(arrays, to.counted);
  themselves.copy_to(arrays, to.themselves);
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (std::size_t h = 0; h < sets[s].ends.size(); ++h) sets[s].ends[h].copy_to(arrays, to.sets[s].ends[h]);
  for (std::size_t r = 0; r < relations.size(); ++r) {
    relations[r].degrees.copy_to(arrays, to.relations[r].degrees);
    for (std::size_t h = 0; h < relations[r].out.size(); ++h) {
      const out_rows& from = relations[r].out[h];
      out_rows& there = to.relations[r].out[h];
      if (from.is_all) continue;
      from.offsets.copy_to(arrays, there.offsets), from.ids.copy_to(arrays, there.ids);
      from.neighbours.copy_to(arrays, there.neighbours);
    }
  }
  to.on_device = arrays.copy(where, "blocks");
  for (relation& r : to.relations) r.edges = to.whole.has_kinds() ? to.whole.kinds()->find(r.name)->edges : to.whole;
  for (set& s : to.sets) {
    const adjacency rows = to.whole.has_kinds() ? to.whole.kinds()->find(s.name)->rows.in : to.whole.in_edges();
    s.ids = rows.global_rows();
  }
}

adjacency blocks::state::in_edges(const relation& r, int hop) const {
  const adjacency all = r.edges.in_edges();
  const set& into = sets[r.destination];
  if (rows(into, hop) == into.vertices) return all;
  return adjacency(rows(into, hop), all.offsets(), all.neighbours(), nullptr)
      .within_larger(into.ids, detail::graph_access::state_of(r.edges).global_edges());
}

adjacency blocks::state::out_edges(const relation& r, int hop) const {
  if (is_whole || hop >= sampled_hops || r.out[at(hop)].is_all) return r.edges.out_edges();
  const out_rows& mine = r.out[at(hop)];
  const set& from = sets[r.source];
  return adjacency(rows(from, hop + 1), mine.offsets.data(), mine.neighbours.data(), mine.ids.data())
      .within_larger(from.ids, detail::graph_access::state_of(r.edges).global_edges());
}

const blocks::state::set& blocks::state::set_of(ir::kind_list kinds, int number) const {
  if (number == 0) return sets[0];
  const std::string_view name = kinds[number - 1].name.view();
  const std::size_t of = number_of(name);
  if (of == sets.size()) throw error("stg internal: blocks without vertex set " + detail::quote(name));
  return sets[of];
}
const blocks::state::relation& blocks::state::relation_of(ir::kind_list kinds, int number) const {
  if (number == 0) return relations[0];
  for (const relation& r : relations)
    if (r.name == kinds[number - 1].name.view()) return r;
  throw error("stg internal: blocks without relation " + detail::quote(kinds[number - 1].name.view()));
}

kind_rows blocks::state::of(ir::kind_list kinds, const ir::block_kind& k) const {
  using role = ir::block_kind::role;
  const auto none = [&](const set& s) { return adjacency(rows(s, k.hop), nothing.data(), nullptr, nullptr); };
  switch (k.what) {
    case role::vertices: {
      const set& s = set_of(kinds, k.of);
      if (k.hop == 0 && !is_whole && rows(s, 0) == 0 && rows(sets[seed_set], 0) > 0)
        throw error("the program's outputs or losses are of vertex set " + detail::quote(s.name) + ", the seeds of " +
                    detail::quote(sets[seed_set].name) + "; sample vertices of the set that they are of");
      return {rows(s, k.hop), with_ids(none(s), s), with_ids(none(s), s)};
    }
    case role::edges: {
      const relation& r = relation_of(kinds, k.of);
      return {edges(r, k.hop), in_edges(r, k.hop), out_edges(r, k.hop)};
    }
    case role::rows: {
      const set& s = set_of(kinds, k.of);
      const std::int64_t* const from = is_whole || k.hop >= sampled_hops ? counted.data() : s.ends[at(k.hop)].data();
      return {rows(s, k.hop), with_ids(adjacency(rows(s, k.hop), counted.data(), themselves.data(), nullptr), s),
              with_ids(adjacency(rows(s, k.from), from, themselves.data(), nullptr), s)};
    }
    case role::degrees: {
      const relation& r = relation_of(kinds, k.of);
      const set& s = sets[r.destination];
      return {0, with_ids(adjacency(rows(s, k.hop), r.degrees.data(), nullptr, nullptr), s), with_ids(none(s), s)};
    }
  }
  return {};
}

location blocks::place() const { return state_->whole.place(); }

blocks blocks::to(location where) const try {
  if (where == place()) return *this;
  blocks there;
  if (where.is_host()) {
    there.state_ = state_->on_host;
    return there;
  }
  auto s = std::make_shared<state>();
  s->on_host = state_->on_host ? state_->on_host : state_;
  s->on_host->copy_to(where, *s);
  there.state_ = std::move(s);
  return there;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

const graph& blocks::whole() const& { return state_->whole; }
std::int64_t blocks::seeds() const { return state_->rows(state_->sets[state_->seed_set], 0); }

void blocks::find(ir::kind_list kinds, std::span<const ir::block_kind> wanted, int hops, kind_rows* found) const {
  if (hops > state_->sampled_hops)
    throw error("the program reads vertices " + std::to_string(hops) + " hops away, the blocks have " +
                std::to_string(state_->sampled_hops) + "; sample with a fan-out for each hop");
  for (std::size_t k = 0; k < wanted.size(); ++k) found[k + 1] = state_->of(kinds, wanted[k]);
}

}  // namespace stg
