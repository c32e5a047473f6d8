// Seeds and hops of a batch, and memory of its graphs, which is used again.
#include "batch_writer.hpp"  // batch_writer

#include "../runtime/graph/kind_table.hpp"  // kind_table, named_kind, quote

#include <stg/base/error.hpp>  // error

#include <algorithm>  // all_of, copy, sort, unique
#include <memory>     // make_shared, shared_ptr
#include <string>     // to_string
#include <utility>    // move

namespace stg {

/// The table of a batch's graphs, open to be written again.
struct graphs_batch::room {
  std::shared_ptr<graph::state> carrier{};
  std::shared_ptr<detail::kind_table> table{};
  std::vector<std::shared_ptr<detail::named_kind>> sets{}, relations{};  // in the order of the batch's
  std::vector<std::shared_ptr<graph::state>> edges{};                    // of each relation

  /// Whether the table is of these sets and relations.
  bool is_of(const detail::sampled_kinds& kinds) const {
    if (table == nullptr || sets.size() != kinds.sets().size() || relations.size() != kinds.relations().size())
      return false;
    for (std::size_t s = 0; s < sets.size(); ++s)
      if (sets[s]->name != kinds.sets()[s].name) return false;
    for (std::size_t r = 0; r < relations.size(); ++r) {
      const relation_names& names = kinds.relations()[r].names;
      const detail::named_kind& k = *relations[r];
      if (k.name != names.name || k.source != names.source || k.destination != names.destination) return false;
    }
    return true;
  }
  /// Whether nobody but this and the batch holds the graphs or a part of their table.
  bool is_mine() const {
    const auto alone = [](const auto& kind) { return kind.use_count() == 2; };
    return carrier.use_count() == 2 && table.use_count() == 2 && std::all_of(sets.begin(), sets.end(), alone) &&
           std::all_of(relations.begin(), relations.end(), alone);
  }
};

namespace detail {

namespace {

/// Vertex v, of a named set: "vertex 7 of 'paper'".
std::string vertex_of(std::int32_t v, std::string_view set) {
  return "vertex " + std::to_string(v) + (set.empty() ? "" : " of " + quote(set));
}

}  // namespace

batch_writer::batch_writer(const sampled_kinds& kinds, batch_scratch& scratch) : kinds_(kinds), scratch_(scratch) {
  scratch.marks.resize(kinds.sets().size());
  scratch.sets.clear(), scratch.relations.clear();
  scratch.excluded.resize(kinds.relations().size());
  for (std::vector<std::int64_t>& edges : scratch.excluded) edges.clear();
}

void batch_writer::add_set(std::vector<std::int32_t>& vertices, std::vector<std::int64_t>& offsets,
                           std::vector<std::int32_t>& roots) {
  const std::size_t s = scratch_.sets.size();
  vertices.clear(), roots.clear();
  scratch_.sets.push_back({{scratch_.marks[s], kinds_.sets()[s].vertices, vertices}, vertices, offsets, roots});
}

void batch_writer::add_relation(graph::state& state, std::vector<std::int64_t>& edges,
                                std::vector<std::int64_t>& offsets, std::vector<float>& edge_weights,
                                std::vector<std::int32_t>& earlier_degrees) {
  offsets.assign(1, 0);
  edge_weights.clear(), earlier_degrees.clear();
  scratch_.relations.push_back({{state, edges}, offsets, edge_weights, earlier_degrees});
}

/// Errors of sets and of ids.
void batch_writer::check_seeds(std::span<const set_seeds> seeds) {
  for (const set_seeds& of : seeds) {
    const std::int64_t large = kinds_.sets()[kinds_.number_of_set(of.set)].vertices;
    for (std::size_t i = 0; i < of.vertices.size(); ++i)
      if (of.vertices[i] < 0 || of.vertices[i] >= large)
        throw error("seed " + std::to_string(i) + " is " + vertex_of(of.vertices[i], of.set) + "; it must be in [0, " +
                    std::to_string(large) + ")");
  }
  seed_set_ = kinds_.number_of_set(seeds[0].set);
  seeds_ = static_cast<std::int64_t>(seeds[0].vertices.size());
}

/// The seeds are the vertices that are there.
void batch_writer::end_seeds() {
  for (written_set& s : scratch_.sets) s.offsets.assign({0, static_cast<std::int64_t>(s.vertices.size())});
}

void batch_writer::begin(std::span<const set_seeds> seeds) {
  for (std::size_t i = 0; i < seeds.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (seeds[k].set == seeds[i].set)
        throw error("graphs_sampler: seeds of vertex set " + quote(seeds[i].set) + " are given twice; give them once");
  check_seeds(seeds);
  for (const set_seeds& of : seeds) {
    vertex_numbers& numbers = set(kinds_.number_of_set(of.set)).numbers;
    for (std::size_t i = 0; i < of.vertices.size(); ++i)
      if (const std::int32_t local = numbers.local_of(of.vertices[i]); local != static_cast<std::int32_t>(i))
        throw error("seeds " + std::to_string(local) + " and " + std::to_string(i) + " are both " +
                    vertex_of(of.vertices[i], of.set) + "; give each vertex once");
  }
  end_seeds();
}

void batch_writer::begin_apart(const set_seeds& seeds) {
  check_seeds({&seeds, 1});
  written_set& of = set(seed_set_);
  for (std::size_t i = 0; i < seeds.vertices.size(); ++i) {
    of.numbers.add(seeds.vertices[i]);
    of.roots.push_back(static_cast<std::int32_t>(i));
  }
  end_seeds();
}

void batch_writer::leave_out(std::size_t relation, std::span<const std::int64_t> edges) {
  std::vector<std::int64_t>& excluded = scratch_.excluded[relation];
  excluded.insert(excluded.end(), edges.begin(), edges.end());
  std::sort(excluded.begin(), excluded.end());
  excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
}

void batch_writer::skip(std::size_t r) {
  const std::size_t into = kinds_.relations()[r].destination;
  for (std::int64_t v = first(into); v < last(into); ++v) relation(r).rows.end_row();
}

void batch_writer::end_hop() {
  for (written_set& s : scratch_.sets) s.offsets.push_back(static_cast<std::int64_t>(s.vertices.size()));
  for (written_relation& r : scratch_.relations) r.offsets.push_back(r.rows.edges());
}

std::int64_t batch_writer::make_all_seeds() {
  end_seeds();
  return seeds_ = last(0);
}

void batch_writer::finish_rows(std::size_t r) {
  const sampled_relation& of = kinds_.relations()[r];
  relation(r).rows.finish(set(of.source).vertices, set(of.destination).vertices,
                          {first(of.destination), of.edges.in_degrees(), relation(r).earlier_degrees});
}

graph_writer::graph_writer(batch& to, const sampled_kinds& kinds, batch_scratch& scratch)
    : batch_writer(kinds, scratch), to_(to) {
  to.pair_src.clear(), to.pair_dst.clear(), to.true_pairs = 0;
  to.large = kinds.relations()[0].edges;
  to.graph = graph();
  blocks::let_go(to.memory_of_blocks);
  add_set(to.vertices, to.vertex_offsets, to.roots);
  add_relation(state_for(to.memory, 1), to.edges, to.edge_offsets, to.edge_weights, to.earlier_degrees);
}

void graph_writer::finish() {
  to_.seeds = seeds_;
  finish_rows(0);
  to_.graph = graph_access::of(to_.memory);
}

graphs_writer::graphs_writer(graphs_batch& to, const sampled_kinds& kinds, batch_scratch& scratch)
    : batch_writer(kinds, scratch), to_(to) {
  blocks::let_go(to.memory_of_blocks);
  graphs_batch::room& of_batch = room();
  to.large = kinds.all();
  to.pair_src.clear(), to.pair_dst.clear(), to.true_pairs = 0;
  to.pair_relation = {};
  for (graphs_batch::set_rows& s : to.sets) add_set(s.vertices, s.offsets, s.roots);
  for (std::size_t r = 0; r < to.relations.size(); ++r) {
    graphs_batch::relation_rows& of = to.relations[r];
    add_relation(state_for(of_batch.edges[r], 2), of.edges, of.offsets, of.edge_weights, of.earlier_degrees);
  }
}

/// Memory for the kinds of a batch: that of the last one, where it had the same and nobody holds them.
graphs_batch::room& graphs_writer::room() const {
  if (to_.memory && to_.memory->is_of(kinds_) && to_.memory->is_mine()) return *to_.memory;
  to_ = {};
  to_.memory = std::make_shared<graphs_batch::room>();
  for (const sampled_set& s : kinds_.sets()) to_.sets.push_back({.name = s.name});
  for (const sampled_relation& r : kinds_.relations()) to_.relations.push_back({.name = r.names.name});
  to_.memory->edges.resize(kinds_.relations().size());
  return *to_.memory;
}

/// Writes the table of the batch's graphs, which is made where there is none.
void graphs_writer::finish() {
  to_.seed_set = kinds_.sets()[seed_set_].name;
  to_.seeds = seeds_;
  graphs_batch::room& room = *to_.memory;
  const bool is_new = room.table == nullptr;
  if (is_new) room.table = std::make_shared<kind_table>();
  const auto add = [&](std::vector<std::shared_ptr<named_kind>>& to, relation_names names) {
    to.push_back(std::make_shared<named_kind>());
    to.back()->name = std::move(names.name);
    to.back()->source = std::move(names.source), to.back()->destination = std::move(names.destination);
    room.table->put(to.back());
  };
  for (std::size_t s = 0; s < kinds_.sets().size(); ++s) {
    if (is_new) add(room.sets, {kinds_.sets()[s].name, "", ""});
    const std::vector<std::int32_t>& vertices = set(s).vertices;
    const auto count = static_cast<std::int64_t>(vertices.size());
    grow(room.sets[s]->larger, count);
    std::copy(vertices.begin(), vertices.end(), room.sets[s]->larger.begin());
    write_set(*room.sets[s], count);
  }
  for (std::size_t r = 0; r < kinds_.relations().size(); ++r) {
    if (is_new) add(room.relations, kinds_.relations()[r].names);
    finish_rows(r);
    write_relation(*room.relations[r], graph_access::of(room.edges[r]));
  }
  if (!is_new) return;
  room.carrier = state_carrying(room.table);
  to_.graph = graphs_access::of(graph_access::of(room.carrier));
}

}  // namespace detail

}  // namespace stg
