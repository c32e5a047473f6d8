// Numbers of vertices by set and rows of edges by relation, hop after hop, and the graphs that they make.
#include "graphs_parts.hpp"  // graphs_parts, graphs_writer

#include "pick.hpp"  // check_fan_outs

#include <stg/base/error.hpp>  // error

#include <algorithm>  // copy, find, find_if
#include <string>     // to_string
#include <utility>    // move

namespace stg::detail {

graphs_parts::graphs_parts(const char* by, const graphs& g) : by_(by), all_(g), sets_(g.vertex_sets()) {
  if (!g.place().is_host())
    throw error(std::string(by) + ": the graphs lie on " + to_string(g.place()) + "; sample graphs.to(stg::host)");
  for (relation_names& r : g.relations()) {
    const std::size_t source = number_of_set(r.source), destination = number_of_set(r.destination);
    graph edges = g.relation(r.name);
    relations_.push_back({std::move(r), source, destination, std::move(edges)});
  }
}

std::size_t graphs_parts::number_of_set(std::string_view name) const {
  const auto found = std::find(sets_.begin(), sets_.end(), name);
  if (found == sets_.end())
    throw error(std::string(by_) + ": seeds of vertex set " + quote(name) + ", which is not there");
  return static_cast<std::size_t>(found - sets_.begin());
}

std::size_t graphs_parts::number_of_relation(std::string_view name) const {
  all_.relation(name);  // for its error
  std::size_t r = 0;
  while (relations_[r].names.name != name) ++r;
  return r;
}

graphs_writer::graphs_writer(graphs_batch& batch, graphs_scratch& scratch, const graphs_parts& parts)
    : to_(batch), scratch_(scratch), parts_(parts) {
  scratch.excluded.resize(parts.relations().size());
  for (std::vector<std::int64_t>& edges : scratch.excluded) edges.clear();
}

/// Memory for the kinds of a batch: that of the last one, where it had the same and nobody holds them.
graphs_batch::room& graphs_writer::room() const {
  const std::vector<std::string>& sets = parts_.sets();
  const std::vector<sampled_relation>& relations = parts_.relations();
  const auto has_these_kinds = [&] {
    const graphs_batch::room& room = *to_.memory;
    if (room.table == nullptr || room.sets.size() != sets.size() || room.relations.size() != relations.size())
      return false;
    for (std::size_t s = 0; s < sets.size(); ++s)
      if (room.sets[s]->name != sets[s]) return false;
    for (std::size_t r = 0; r < relations.size(); ++r) {
      const named_kind& k = *room.relations[r];
      const relation_names& names = relations[r].names;
      if (k.name != names.name || k.source != names.source || k.destination != names.destination) return false;
    }
    return true;
  };
  if (to_.memory && has_these_kinds() && to_.memory->is_mine()) return *to_.memory;
  to_ = {};
  to_.memory = std::make_shared<graphs_batch::room>();
  to_.sets.resize(sets.size()), to_.relations.resize(relations.size());
  for (std::size_t s = 0; s < sets.size(); ++s) to_.sets[s].name = sets[s];
  for (std::size_t r = 0; r < relations.size(); ++r) to_.relations[r].name = relations[r].names.name;
  to_.memory->edges.resize(relations.size());
  return *to_.memory;
}

/// Everything but the seeds' numbers, once it is known that there are such seeds.
void graphs_writer::start(std::span<const set_seeds> seeds) {
  for (const set_seeds& of : seeds) {
    const std::int64_t large = parts_.all().vertices(parts_.sets()[parts_.number_of_set(of.set)]);
    for (std::size_t i = 0; i < of.vertices.size(); ++i)
      if (of.vertices[i] < 0 || of.vertices[i] >= large)
        throw error("seed " + std::to_string(i) + " is vertex " + std::to_string(of.vertices[i]) + " of " +
                    quote(of.set) + "; it must be in [0, " + std::to_string(large) + ")");
  }
  blocks::let_go(to_.memory_of_blocks);
  graphs_batch::room& memory = room();
  to_.large = parts_.all();
  to_.seed_set = seeds[0].set;
  to_.seeds = static_cast<std::int64_t>(seeds[0].vertices.size());
  to_.pair_src.clear(), to_.pair_dst.clear(), to_.true_pairs = 0;
  to_.pair_relation = {};

  scratch_.marks.resize(parts_.sets().size());
  scratch_.numbers.clear(), scratch_.rows.clear();
  for (std::size_t k = 0; k < parts_.sets().size(); ++k) {
    to_.sets[k].vertices.clear(), to_.sets[k].roots.clear();
    scratch_.numbers.emplace_back(scratch_.marks[k], parts_.all().vertices(parts_.sets()[k]), to_.sets[k].vertices);
  }
  for (std::size_t r = 0; r < parts_.relations().size(); ++r) {
    to_.relations[r].offsets.assign(1, 0);
    to_.relations[r].edge_weights.clear(), to_.relations[r].earlier_degrees.clear();
    scratch_.rows.emplace_back(memory.edges_of(r), to_.relations[r].edges);
  }
}

namespace {

/// The seeds are the vertices that are there.
void end_seeds(graphs_batch& to) {
  for (graphs_batch::set_rows& one : to.sets) one.offsets.assign({0, static_cast<std::int64_t>(one.vertices.size())});
}

}  // namespace

void graphs_writer::begin(std::span<const set_seeds> seeds) {
  for (std::size_t i = 0; i < seeds.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (seeds[k].set == seeds[i].set)
        throw error("graphs_sampler: seeds of vertex set " + quote(seeds[i].set) + " are given twice; give them once");
  start(seeds);
  for (const set_seeds& of : seeds) {
    vertex_numbers& numbers = scratch_.numbers[parts_.number_of_set(of.set)];
    for (std::size_t i = 0; i < of.vertices.size(); ++i)
      if (const std::int32_t local = numbers.local_of(of.vertices[i]); local != static_cast<std::int32_t>(i))
        throw error("seeds " + std::to_string(local) + " and " + std::to_string(i) + " are both vertex " +
                    std::to_string(of.vertices[i]) + " of " + quote(of.set) + "; give each vertex once");
  }
  end_seeds(to_);
}

void graphs_writer::begin_apart(const set_seeds& seeds) {
  start({&seeds, 1});
  const std::size_t set = parts_.number_of_set(seeds.set);
  for (std::size_t i = 0; i < seeds.vertices.size(); ++i) {
    scratch_.numbers[set].add(seeds.vertices[i]);
    to_.sets[set].roots.push_back(static_cast<std::int32_t>(i));
  }
  end_seeds(to_);
}

std::int64_t graphs_writer::first(std::size_t set) const { return *(to_.sets[set].offsets.end() - 2); }
std::int64_t graphs_writer::last(std::size_t set) const { return to_.sets[set].offsets.back(); }

void graphs_writer::skip(std::size_t relation) {
  const std::size_t into = parts_.relations()[relation].destination;
  for (std::int64_t v = first(into); v < last(into); ++v) scratch_.rows[relation].end_row();
}

void graphs_writer::end_hop() {
  for (graphs_batch::set_rows& one : to_.sets) one.offsets.push_back(static_cast<std::int64_t>(one.vertices.size()));
  for (std::size_t r = 0; r < to_.relations.size(); ++r) to_.relations[r].offsets.push_back(scratch_.rows[r].edges());
}

/// Writes the table of the batch's graphs, which is made where there is none.
void graphs_writer::finish() {
  graphs_batch::room& room = *to_.memory;
  const bool is_new = room.table == nullptr;
  if (is_new) room.table = std::make_shared<kind_table>();
  for (std::size_t k = 0; k < parts_.sets().size(); ++k) {
    if (is_new) {
      room.sets.push_back(std::make_shared<named_kind>());
      room.sets[k]->name = parts_.sets()[k];
      room.table->put(room.sets[k]);
    }
    const std::vector<std::int32_t>& vertices = to_.sets[k].vertices;
    grow(room.sets[k]->larger, static_cast<std::int64_t>(vertices.size()));
    std::copy(vertices.begin(), vertices.end(), room.sets[k]->larger.begin());
    write_set(*room.sets[k], static_cast<std::int64_t>(vertices.size()));
  }
  for (std::size_t r = 0; r < parts_.relations().size(); ++r) {
    const sampled_relation& relation = parts_.relations()[r];
    if (is_new) {
      room.relations.push_back(std::make_shared<named_kind>());
      room.relations[r]->name = relation.names.name;
      room.relations[r]->source = relation.names.source;
      room.relations[r]->destination = relation.names.destination;
      room.table->put(room.relations[r]);
    }
    scratch_.rows[r].finish(
        to_.sets[relation.source].vertices, to_.sets[relation.destination].vertices,
        {first(relation.destination), relation.edges.in_degrees(), to_.relations[r].earlier_degrees});
    write_relation(*room.relations[r], graph_access::of(room.edges[r]));
  }
  if (!is_new) return;
  room.carrier = state_carrying(room.table);
  to_.graph = graphs_access::of(graph_access::of(room.carrier));
}

numbers_by_hop numbers_of_hops(const std::string& by, const std::string& what, std::span<const std::string_view> all,
                               std::span<const std::int64_t> general, std::span<const named_hops> given) {
  const std::size_t hops = general.empty() && !given.empty() ? given[0].of_hops.size() : general.size();
  numbers_by_hop numbers{hops, std::vector<std::vector<std::int64_t>>(all.size(), {general.begin(), general.end()})};
  for (std::size_t k = 0; k < given.size(); ++k) {
    const named_hops& of = given[k];
    const std::string of_this = by + ": " + what + ' ' + quote(of.name);
    for (std::size_t i = 0; i < k; ++i)
      if (given[i].name == of.name) throw error(of_this + " are given twice; give them once");
    const auto found = std::find(all.begin(), all.end(), of.name);
    if (found == all.end()) throw error(of_this + ", which the graphs do not have");
    if (of.of_hops.size() != hops)
      throw error(of_this + " are of " + std::to_string(of.of_hops.size()) + " hops, others of " +
                  std::to_string(hops) + "; give a number for each hop, 0 for none");
    numbers.of[static_cast<std::size_t>(found - all.begin())].assign(of.of_hops.begin(), of.of_hops.end());
  }
  for (std::vector<std::int64_t>& of : numbers.of) of.resize(hops, 0);
  return numbers;
}

numbers_by_hop fan_outs_of(const std::string& by, const graphs_parts& parts, std::span<const std::int64_t> general,
                           std::span<const relation_fan_outs> given, bool with_replacement) {
  check_fan_outs(by, general, with_replacement);
  std::vector<std::string_view> names;
  for (const sampled_relation& r : parts.relations()) names.push_back(r.names.name);
  std::vector<named_hops> by_name;
  for (const relation_fan_outs& of : given) by_name.push_back({of.relation, of.fan_outs});
  numbers_by_hop numbers = numbers_of_hops(by, "fan-outs of relation", names, general, by_name);
  for (const relation_fan_outs& of : given)
    check_fan_outs(by + ": relation " + quote(of.relation), of.fan_outs, with_replacement);
  return numbers;
}

}  // namespace stg::detail
