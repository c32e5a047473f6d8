// The rows and edges of each hop of a sample: the first ones of its sets and relations.
#include <stg/runtime/blocks.hpp>  // blocks

#include <stg/base/error.hpp>  // error

#include <algorithm>  // max, min
#include <atomic>     // atomic_thread_fence
#include <cstddef>    // size_t
#include <iterator>   // ssize
#include <memory>     // make_shared
#include <string>     // string, to_string
#include <utility>    // move
#include <vector>     // vector

#include "../memory/copied_arrays.hpp"  // copied_arrays, memory
#include "graph_state.hpp"              // graph_access, state
#include "kind_table.hpp"               // kind_table, quote

namespace stg {

namespace {
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
}  // namespace

struct blocks::state {
  /// Arrays on the host, or where their copies on a device begin.
  template <class T> struct array {
    std::vector<T> here{};
    const T* there = nullptr;
    const T* data() const { return there != nullptr ? there : here.data(); }
    void copy_to(detail::copied_arrays& all, array& to) const { all.add(here, &to.there); }
  };
  /// A set of vertices: one of a plain graph, which has no name.
  struct set {
    std::string name{};
    std::int64_t vertices = 0;
    std::vector<std::int64_t> offsets{};       // empty of a whole graph
    std::vector<array<std::int64_t>> ends{};   // by hop: 0, 1, … up to its rows, and no further
    std::span<const std::int32_t> of_large{};  // which vertices there, while blocks are made
    const std::int32_t* ids = nullptr;         // the same where rows lie
  };
  /// Out-edges that end in the first rows.
  struct out_rows {
    array<std::int64_t> offsets, ids;
    array<std::int32_t> neighbours;
    bool is_all = true;  // they are the graph's
  };
  struct relation {
    std::string name{};
    graph edges{};
    std::size_t source = 0, destination = 0;
    std::vector<std::int64_t> edges_into{};  // by hop
    array<std::int64_t> degrees{};           // sums of degrees
    std::vector<out_rows> out{};             // by hop
  };

  graph whole{};
  std::vector<set> sets{};
  std::vector<relation> relations{};
  int sampled_hops = ir::all_hops;
  bool is_whole = true;
  std::size_t seed_set = 0;
  // The first (vertices + 1) of the largest set; what is the same for all blocks stays when memory is used again.
  array<std::int64_t> nothing{};     // 0, 0, …: rows without edges
  array<std::int64_t> counted{};     // 0, 1, …
  array<std::int32_t> themselves{};  // 0, 1, …

  // Of a copy on a device: these arrays are there.
  std::shared_ptr<const state> on_host{};
  detail::memory on_device{};

  std::int64_t rows(const set& s, int hop) const {
    return is_whole || hop >= sampled_hops ? s.vertices : s.offsets[at(hop + 1)];
  }
  std::int64_t edges(const relation& r, int hop) const {
    return is_whole || hop >= sampled_hops ? r.edges.edges() : r.edges_into[at(hop)];
  }

  void resize(std::size_t set_count, std::size_t relation_count) {
    sets.resize(set_count), relations.resize(relation_count);
  }
  void prepare();
  void prepare_relation(relation& r, std::span<const std::int32_t> in_degrees);
  void find_out_edges(const relation& r, int hop, out_rows& to) const;
  void copy_to(location where, state& to) const;
  const graph& edges_of(std::size_t relation) const;
  adjacency with_ids(const adjacency& rows, const set& of) const { return rows.within_larger(of.ids, nullptr); }
  adjacency in_edges(const relation& r, int hop) const;
  adjacency out_edges(const relation& r, int hop) const;
  const set& set_of(ir::kind_list kinds, int number) const;
  const relation& relation_of(ir::kind_list kinds, int number) const;
  kind_rows of(ir::kind_list kinds, const ir::block_kind& k) const;
};

void blocks::state::prepare() {
  std::int64_t n = 0;
  for (const set& s : sets) n = std::max(n, s.vertices);
  nothing.here.resize(std::max(nothing.here.size(), at(n + 1)));
  for (std::size_t k = counted.here.size(); k < at(n + 1); ++k) counted.here.push_back(static_cast<std::int64_t>(k));
  for (std::size_t k = themselves.here.size(); k < at(n + 1); ++k)
    themselves.here.push_back(static_cast<std::int32_t>(k));
  if (is_whole) return;
  for (set& s : sets) {
    s.ends.resize(at(sampled_hops));
    for (int hop = 0; hop < sampled_hops; ++hop) {
      std::vector<std::int64_t>& ends = s.ends[at(hop)].here;
      ends.resize(at(s.vertices + 1));
      for (std::int64_t v = 0; v <= s.vertices; ++v) ends[at(v)] = std::min(v, rows(s, hop));
    }
  }
}

/// in_degrees: of the large graph, by its vertices.
void blocks::state::prepare_relation(relation& r, std::span<const std::int32_t> in_degrees) {
  const set& into = sets[r.destination];
  const adjacency in = r.edges.in_edges();
  const std::int64_t n = into.vertices, looked_into = is_whole ? n : into.offsets[into.offsets.size() - 2];
  std::vector<std::int64_t>& degrees = r.degrees.here;
  degrees.resize(at(n + 1));
  degrees[0] = 0;
  for (std::int64_t v = 0; v < n; ++v)
    degrees[at(v + 1)] = degrees[at(v)] + (v < looked_into ? in.degree(v) : in_degrees[at(into.of_large[at(v)])]);
  const int kept = is_whole ? 0 : sampled_hops;
  r.edges_into.resize(at(kept)), r.out.resize(at(kept));
  for (int hop = 0; hop < kept; ++hop) {
    const std::int64_t mine = rows(into, hop);
    r.edges_into[at(hop)] = mine == 0 ? 0 : in.end(mine - 1);
    out_rows& out = r.out[at(hop)];
    out.is_all = r.edges_into[at(hop)] == r.edges.edges() && rows(sets[r.source], hop + 1) == r.edges.sources();
    if (!out.is_all) find_out_edges(r, hop, out);
  }
}

void blocks::state::find_out_edges(const relation& r, int hop, out_rows& to) const {
  const adjacency in = r.edges.in_edges();
  const std::int64_t mine = rows(sets[r.destination], hop), sources = rows(sets[r.source], hop + 1);
  const std::int64_t edges = r.edges_into[at(hop)];
  std::vector<std::int64_t>& offsets = to.offsets.here;
  offsets.assign(at(sources + 1), 0);
  to.neighbours.here.resize(at(edges)), to.ids.here.resize(at(edges));
  for (std::int64_t e = 0; e < edges; ++e) ++offsets[at(in.neighbour(e)) + 1];
  for (std::int64_t v = 0; v < sources; ++v) offsets[at(v + 1)] += offsets[at(v)];
  for (std::int64_t v = 0; v < mine; ++v)
    for (std::int64_t e = in.begin(v); e < in.end(v); ++e) {
      const std::int64_t place = offsets[at(in.neighbour(e))]++;
      to.neighbours.here[at(place)] = static_cast<std::int32_t>(v);
      to.ids.here[at(place)] = e;
    }
  for (std::int64_t v = sources; v > 0; --v) offsets[at(v)] = offsets[at(v - 1)];  // each had run to its end
  offsets[0] = 0;
}

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
  for (const set& s : sets)
    if (s.name == kinds[number - 1].name.view()) return s;
  throw error("stg internal: blocks without vertex set " + detail::quote(kinds[number - 1].name.view()));
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
      if (k.hop == 0 && !is_whole && &s != &sets[seed_set])
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

blocks::blocks(const graph& all) {
  auto s = std::make_shared<state>();
  s->whole = all.to(host);
  if (all.has_kinds()) {
    for (const auto& k : s->whole.kinds()->all())
      if (!k->is_relation()) s->sets.push_back({k->name, k->rows.rows, {}, {}, {}, k->rows.in.global_rows()});
    const auto number = [&](const std::string& name) {
      std::size_t of = 0;
      while (s->sets[of].name != name) ++of;
      return of;
    };
    for (const auto& k : s->whole.kinds()->all())
      if (k->is_relation())
        s->relations.push_back({k->name, k->edges, number(k->source), number(k->destination), {}, {}, {}});
  } else {
    s->resize(1, 1);
    s->sets[0].vertices = s->whole.vertices();
    s->sets[0].ids = s->whole.in_edges().global_rows();
    s->relations[0].edges = s->whole;
  }
  s->prepare();
  for (state::relation& r : s->relations) s->prepare_relation(r, {});
  state_ = std::move(s);
  *this = to(all.place());
}

namespace {

void check_sample(location lies) {
  if (!lies.is_host())
    throw error("blocks: the sample lies on " + to_string(lies) +
                "; make them of the one on the host, then bring them there: blocks(...).to(stg::cuda())");
}

/// What is known of a set of a sample: `vertices` of it, of a set of so many.
void check_set(std::int64_t there, std::int64_t large, std::span<const std::int64_t> offsets,
               std::span<const std::int32_t> vertices) {
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != there)
    throw error("blocks: the offsets of hops go from 0 to the sample's " + std::to_string(there) +
                " vertices; give batch.vertex_offsets");
  for (std::size_t h = 1; h < offsets.size(); ++h)
    if (offsets[h] < offsets[h - 1])
      throw error("blocks: offset " + std::to_string(h) + " is " + std::to_string(offsets[h]) +
                  ", below the one before it; give batch.vertex_offsets");
  if (std::ssize(vertices) != there)
    throw error("blocks: " + std::to_string(vertices.size()) + " ids of " + std::to_string(there) +
                " vertices; give batch.vertices");
  for (std::size_t v = 0; v < vertices.size(); ++v)
    if (vertices[v] < 0 || vertices[v] >= large)
      throw error("blocks: vertex " + std::to_string(v) + " is vertex " + std::to_string(vertices[v]) +
                  " of the large graph, which has " + std::to_string(large) + "; give batch.vertices");
}

}  // namespace

/// Memory of earlier blocks, where nobody else holds it.
blocks::state& blocks::state_in(std::shared_ptr<state>& memory, std::size_t sets, std::size_t relations) {
  if (memory == nullptr || memory.use_count() > 1) memory = std::make_shared<state>();
  std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  memory->is_whole = false;
  memory->resize(sets, relations);
  return *memory;
}

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees) {
  std::shared_ptr<state> none;
  *this = blocks(sample, vertex_offsets, vertices, in_degrees, none);
}

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees,
               std::shared_ptr<state>& memory) {
  check_sample(sample.place());
  check_set(sample.vertices(), std::ssize(in_degrees), vertex_offsets, vertices);
  state& s = state_in(memory, 1, 1);
  s.whole = s.relations[0].edges = sample;
  s.sets[0].vertices = sample.vertices();
  s.sets[0].offsets.assign(vertex_offsets.begin(), vertex_offsets.end());
  s.sets[0].of_large = vertices;
  s.sets[0].ids = sample.in_edges().global_rows();
  s.sampled_hops = static_cast<int>(vertex_offsets.size()) - 2;
  s.prepare();
  s.prepare_relation(s.relations[0], in_degrees);
  state_ = memory;
}

blocks::blocks(const graphs& sample, std::string_view seed_set, std::span<const sampled_set> sets, const graphs& large,
               std::shared_ptr<state>& memory) {
  check_sample(sample.place());
  const graph& whole = sample;
  const graph& all = large;
  std::size_t relations = 0;
  for (const auto& k : whole.kinds()->all()) relations += k->is_relation();
  for (const sampled_set& of : sets) {
    check_set(sample.vertices(of.name), large.vertices(of.name), of.offsets, of.vertices);
    if (of.offsets.size() != sets[0].offsets.size())
      throw error("blocks: vertex set " + detail::quote(of.name) + " has " + std::to_string(of.offsets.size()) +
                  " offsets of hops, another " + std::to_string(sets[0].offsets.size()) + "; give each as many");
  }
  state& s = state_in(memory, sets.size(), relations);
  s.whole = whole;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    state::set& to = s.sets[k];
    if (to.name != sets[k].name) to.name = sets[k].name;
    to.vertices = std::ssize(sets[k].vertices);
    to.offsets.assign(sets[k].offsets.begin(), sets[k].offsets.end());
    to.of_large = sets[k].vertices;
    to.ids = whole.kinds()->find(sets[k].name)->rows.in.global_rows();
  }
  const auto number = [&](std::string_view name) {
    std::size_t of = 0;
    while (of < sets.size() && sets[of].name != name) ++of;
    if (of == sets.size()) throw error("blocks: nothing is given of vertex set " + detail::quote(name));
    return of;
  };
  s.seed_set = number(seed_set);
  s.sampled_hops = static_cast<int>(sets[0].offsets.size()) - 2;
  s.prepare();
  std::size_t r = 0;
  for (const auto& k : whole.kinds()->all()) {
    if (!k->is_relation()) continue;
    state::relation& to = s.relations[r++];
    if (to.name != k->name) to.name = k->name;
    to.edges = k->edges;
    to.source = number(k->source), to.destination = number(k->destination);
    s.prepare_relation(to, detail::relation_of(*all.kinds(), k->name).edges.in_degrees());
  }
  state_ = memory;
}

void blocks::let_go(const std::shared_ptr<state>& memory) {
  if (memory == nullptr || memory.use_count() > 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  memory->whole = graph();
  for (state::relation& r : memory->relations) r.edges = graph();
}

location blocks::place() const { return state_->whole.place(); }

blocks blocks::to(location where) const {
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
}

const graph& blocks::whole() const { return state_->whole; }
std::int64_t blocks::seeds() const { return state_->rows(state_->sets[state_->seed_set], 0); }

void blocks::find(ir::kind_list kinds, std::span<const ir::block_kind> wanted, int hops, kind_rows* found) const {
  if (hops > state_->sampled_hops)
    throw error("the program reads vertices " + std::to_string(hops) + " hops away, the blocks have " +
                std::to_string(state_->sampled_hops) + "; sample with a fan-out for each hop");
  for (std::size_t k = 0; k < wanted.size(); ++k) found[k + 1] = state_->of(kinds, wanted[k]);
}

}  // namespace stg
