// Making the blocks of a graph, of a sample, and of a sample of several kinds.
#include "blocks_state.hpp"  // blocks
#include "kind_table.hpp"    // kind_table, quote

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

#include <algorithm>  // max, min
#include <atomic>     // atomic_thread_fence
#include <iterator>   // ssize
#include <string>     // string, to_string
#include <utility>    // move

namespace stg {

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

/// in_degrees: of the large graph, by its vertices. of_sample: nothing, or those of the sample's, which count then.
void blocks::state::prepare_relation(relation& r, std::span<const std::int32_t> in_degrees,
                                     std::span<const std::int32_t> of_sample) {
  const set& into = sets[r.destination];
  const adjacency in = r.edges.in_edges();
  const std::int64_t n = into.vertices, looked_into = is_whole ? n : into.offsets[into.offsets.size() - 2];
  std::vector<std::int64_t>& degrees = r.degrees.here;
  degrees.resize(at(n + 1));
  degrees[0] = 0;
  if (!of_sample.empty() && std::ssize(of_sample) != n)
    throw error("blocks: " + std::to_string(of_sample.size()) + " degrees of " + std::to_string(n) +
                " vertices; give one of each, or none");
  for (std::int64_t v = 0; v < n; ++v)
    degrees[at(v + 1)] = degrees[at(v)] + (v < looked_into     ? in.degree(v)
                                           : of_sample.empty() ? in_degrees[at(into.of_large[at(v)])]
                                                               : of_sample[at(v)]);
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

blocks::blocks(const graph& all) try {
  auto s = std::make_shared<state>();
  s->whole = all.to(host);
  if (all.has_kinds()) {
    for (const auto& k : s->whole.kinds()->all())
      if (!k->is_relation()) s->sets.push_back({k->name, k->rows.rows, {}, {}, {}, k->rows.in.global_rows()});
    for (const auto& k : s->whole.kinds()->all())
      if (k->is_relation())
        s->relations.push_back({k->name, k->edges, s->number_of(k->source), s->number_of(k->destination), {}, {}, {}});
  } else {
    s->resize(1, 1);
    s->sets[0].vertices = s->whole.vertices();
    s->sets[0].ids = s->whole.in_edges().global_rows();
    s->relations[0].edges = s->whole;
  }
  s->prepare();
  for (state::relation& r : s->relations) s->prepare_relation(r, {}, {});
  state_ = std::move(s);
  *this = to(all.place());
} catch (const std::bad_alloc&) {
  detail::no_memory();
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
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees) try {
  std::shared_ptr<state> none;
  *this = blocks(sample, vertex_offsets, vertices, in_degrees, none);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

blocks::blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets,
               std::span<const std::int32_t> vertices, std::span<const std::int32_t> in_degrees,
               std::shared_ptr<state>& memory, std::span<const std::int32_t> degrees) try {
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
  s.prepare_relation(s.relations[0], in_degrees, degrees);
  state_ = memory;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

blocks::blocks(const graphs& sample, std::string_view seed_set, std::span<const sampled_set> sets, const graphs& large,
               std::shared_ptr<state>& memory, std::span<const std::span<const std::int32_t>> degrees) try {
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
  if (!degrees.empty() && degrees.size() != relations)
    throw error("blocks: degrees of " + std::to_string(degrees.size()) + " relations, of " + std::to_string(relations) +
                " that there are; give those of each, or none");
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
    const std::size_t of = s.number_of(name);
    if (of == sets.size()) throw error("blocks: nothing is given of vertex set " + detail::quote(name));
    return of;
  };
  s.seed_set = number(seed_set);
  s.sampled_hops = static_cast<int>(sets[0].offsets.size()) - 2;
  s.prepare();
  std::size_t r = 0;
  for (const auto& k : whole.kinds()->all()) {
    if (!k->is_relation()) continue;
    state::relation& to = s.relations[r];
    if (to.name != k->name) to.name = k->name;
    to.edges = k->edges;
    to.source = number(k->source), to.destination = number(k->destination);
    s.prepare_relation(to, detail::relation_of(*all.kinds(), k->name).edges.in_degrees(),
                       degrees.empty() ? std::span<const std::int32_t>() : degrees[r]);
    ++r;
  }
  state_ = memory;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void blocks::let_go(const std::shared_ptr<state>& memory) {
  if (memory == nullptr || memory.use_count() > 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
  memory->whole = graph();
  for (state::relation& r : memory->relations) r.edges = graph();
}

}  // namespace stg
