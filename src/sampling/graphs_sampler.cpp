// Numbers of vertices by set and rows of edges by relation, hop after hop, and the graphs that they make.
#include "edge_weights.hpp"  // checked_weights
#include "graphs_room.hpp"   // room
#include "pick.hpp"          // check_fan_outs, pick, row_of
#include "scratch_pool.hpp"  // lent, pool_of

#include <stg/base/error.hpp>               // error
#include <stg/sampling/graphs_sampler.hpp>  // graphs_sampler

#include <algorithm>  // fill, find, find_if, sort

namespace stg {

using detail::at;
using detail::quote;

namespace detail {

/// Of one thread at a time: what draws need, and marks of the vertices of each set.
struct graphs_scratch {
  batch_scratch draws{};
  std::vector<vertex_marks> marks{};
  std::vector<vertex_numbers> numbers{};              // by set, of the batch that is made
  std::vector<sampled_rows> rows{};                   // by relation
  std::vector<std::vector<std::int64_t>> excluded{};  // by relation: edges, ascending
};
struct graphs_scratch_pool : pool_of<graphs_scratch> {};

/// A batch that is being written.
class graphs_writer {
 public:
  graphs_writer(graphs_batch& batch, graphs_scratch& lent) : to(batch), scratch(lent) {}
  graphs_batch& to;
  graphs_scratch& scratch;
};

}  // namespace detail

namespace {

using detail::graphs_scratch;

template <class Named> const Named& named(const std::vector<Named>& all, std::string_view name, const char* what) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  if (found == all.end()) throw error("graphs_batch: there is no " + std::string(what) + ' ' + quote(name));
  return *found;
}

std::size_t number_of_set(const std::vector<std::string>& sets, std::string_view name) {
  const auto found = std::find(sets.begin(), sets.end(), name);
  if (found == sets.end()) throw error("graphs_sampler: seeds of vertex set " + quote(name) + ", which is not there");
  return static_cast<std::size_t>(found - sets.begin());
}

}  // namespace

const graphs_batch::set_rows& graphs_batch::of_set(std::string_view name) const {
  return named(sets, name, "vertex set");
}
const graphs_batch::relation_rows& graphs_batch::of_relation(std::string_view name) const {
  return named(relations, name, "relation");
}

blocks graphs_batch::blocks() const {
  sets_of_blocks.clear();
  for (const set_rows& s : sets) sets_of_blocks.push_back({s.name, s.offsets, s.vertices});
  return {graph, seed_set, sets_of_blocks, large, memory_of_blocks};
}

tensor<bool> graphs_batch::seed_mask() const {
  tensor<bool> mask;
  seed_mask(mask);
  return mask;
}
void graphs_batch::seed_mask(tensor<bool>& into) const {
  const auto count = static_cast<std::int64_t>(of_set(seed_set).vertices.size());
  if (into.shape() != dimensions{count}) into = tensor<bool>({count});
  std::fill(into.begin(), into.begin() + seeds, true);
  std::fill(into.begin() + seeds, into.end(), false);
}

graphs_sampler::graphs_sampler(const graphs& g, graphs_options options)
    : graph_(g),
      sets_(g.vertex_sets()),
      with_replacement_(options.with_replacement),
      pool_(std::make_unique<detail::graphs_scratch_pool>()) {
  if (!g.place().is_host())
    throw error("graphs_sampler: the graphs lie on " + to_string(g.place()) + "; sample graphs.to(stg::host)");
  detail::check_fan_outs("graphs_sampler", options.fan_outs, with_replacement_);
  for (const relation_names& r : g.relations())
    relations_.push_back({r,
                          number_of_set(sets_, r.source),
                          number_of_set(sets_, r.destination),
                          g.relation(r.name),
                          options.fan_outs,
                          {}});
  hops_ = options.fan_outs.size();
  for (std::size_t k = 0; k < options.of.size(); ++k) {
    relation_fan_outs& of = options.of[k];
    const auto is_it = [&](const auto& other) { return other.relation == of.relation; };
    if (std::find_if(options.of.begin(), options.of.begin() + static_cast<std::ptrdiff_t>(k), is_it) !=
        options.of.begin() + static_cast<std::ptrdiff_t>(k))
      throw error("graphs_sampler: fan-outs of relation " + quote(of.relation) + " are given twice; give them once");
    const auto found = std::find_if(relations_.begin(), relations_.end(),
                                    [&](const sampled& r) { return r.names.name == of.relation; });
    if (found == relations_.end())
      throw error("graphs_sampler: fan-outs of relation " + quote(of.relation) + ", which the graphs do not have");
    detail::check_fan_outs("graphs_sampler: relation " + quote(of.relation), of.fan_outs, with_replacement_);
    if (options.fan_outs.empty() && k == 0) hops_ = of.fan_outs.size();
    if (of.fan_outs.size() != hops_)
      throw error("graphs_sampler: fan-outs of relation " + quote(of.relation) + " are of " +
                  std::to_string(of.fan_outs.size()) + " hops, others of " + std::to_string(hops_) +
                  "; give a number for each hop, 0 for none");
    found->fan_outs = of.fan_outs;
  }
  for (sampled& r : relations_) r.fan_outs.resize(hops_, 0);
}
graphs_sampler::~graphs_sampler() = default;
graphs_sampler::graphs_sampler(graphs_sampler&&) noexcept = default;

void graphs_sampler::weigh(std::string_view relation, const edge_values<float>& weights) {
  graph_.relation(relation);  // for its error
  for (sampled& r : relations_)
    if (r.names.name == relation) r.weights = detail::checked_weights("graphs_sampler", r.edges, weights);
}

/// Memory for the kinds of a batch: that of the last one, where it had the same and nobody holds them.
graphs_batch::room& graphs_sampler::room_in(graphs_batch& b) const {
  const auto has_these_kinds = [&] {
    const graphs_batch::room& room = *b.memory;
    if (room.table == nullptr || room.sets.size() != sets_.size() || room.relations.size() != relations_.size())
      return false;
    for (std::size_t s = 0; s < sets_.size(); ++s)
      if (room.sets[s]->name != sets_[s]) return false;
    for (std::size_t r = 0; r < relations_.size(); ++r) {
      const detail::named_kind& k = *room.relations[r];
      const relation_names& names = relations_[r].names;
      if (k.name != names.name || k.source != names.source || k.destination != names.destination) return false;
    }
    return true;
  };
  if (b.memory && has_these_kinds() && b.memory->is_mine()) return *b.memory;
  b = {};
  b.memory = std::make_shared<graphs_batch::room>();
  b.sets.resize(sets_.size()), b.relations.resize(relations_.size());
  for (std::size_t s = 0; s < sets_.size(); ++s) b.sets[s].name = sets_[s];
  for (std::size_t r = 0; r < relations_.size(); ++r) b.relations[r].name = relations_[r].names.name;
  b.memory->edges.resize(relations_.size());
  return *b.memory;
}

void graphs_sampler::leave_out(detail::graphs_writer& writer, std::span<const edges_left_out> without) const {
  auto& excluded = writer.scratch.excluded;
  excluded.resize(relations_.size());
  for (std::vector<std::int64_t>& edges : excluded) edges.clear();
  for (const edges_left_out& of : without) {
    const std::int64_t all = graph_.relation(of.relation).edges();  // for its error
    std::size_t r = 0;
    while (relations_[r].names.name != of.relation) ++r;
    for (const std::int64_t e : of.edges)
      if (e < 0 || e >= all)
        throw error("edge " + std::to_string(e) + " of " + quote(of.relation) +
                    " is to be left out; it must be in [0, " + std::to_string(all) + ")");
    excluded[r].insert(excluded[r].end(), of.edges.begin(), of.edges.end());
  }
  for (std::vector<std::int64_t>& edges : excluded) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
}

/// The seeds as the first vertices of their sets.
void graphs_sampler::begin(detail::graphs_writer& writer, std::span<const set_seeds> seeds) const {
  graphs_batch& to = writer.to;
  graphs_scratch& s = writer.scratch;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    number_of_set(sets_, seeds[i].set);  // for its error, before memory is written
    for (std::size_t k = 0; k < i; ++k)
      if (seeds[k].set == seeds[i].set)
        throw error("graphs_sampler: seeds of vertex set " + quote(seeds[i].set) + " are given twice; give them once");
  }
  blocks::let_go(to.memory_of_blocks);
  graphs_batch::room& room = room_in(to);
  to.large = graph_;
  to.seed_set = seeds[0].set;
  to.seeds = static_cast<std::int64_t>(seeds[0].vertices.size());
  to.pair_src.clear(), to.pair_dst.clear(), to.true_pairs = 0;
  to.pair_relation = {};

  s.marks.resize(sets_.size());
  s.numbers.clear(), s.rows.clear();
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    to.sets[k].vertices.clear();
    s.numbers.emplace_back(s.marks[k], graph_.vertices(sets_[k]), to.sets[k].vertices);
  }
  for (std::size_t r = 0; r < relations_.size(); ++r) {
    to.relations[r].offsets.assign(1, 0);
    s.rows.emplace_back(room.edges_of(r), to.relations[r].edges);
  }

  for (const set_seeds& of : seeds) {
    const std::size_t k = number_of_set(sets_, of.set);
    const std::int64_t large = graph_.vertices(of.set);
    for (std::size_t i = 0; i < of.vertices.size(); ++i) {
      const std::int32_t v = of.vertices[i];
      if (v < 0 || v >= large)
        throw error("seed " + std::to_string(i) + " is vertex " + std::to_string(v) + " of " + quote(of.set) +
                    "; it must be in [0, " + std::to_string(large) + ")");
      if (const std::int32_t local = s.numbers[k].local_of(v); local != static_cast<std::int32_t>(i))
        throw error("seeds " + std::to_string(local) + " and " + std::to_string(i) + " are both vertex " +
                    std::to_string(v) + " of " + quote(of.set) + "; give each vertex once");
    }
  }
  for (graphs_batch::set_rows& one : to.sets) one.offsets.assign({0, static_cast<std::int64_t>(one.vertices.size())});
}

void graphs_sampler::draw(detail::graphs_writer& writer, std::uint64_t number) const {
  graphs_batch& to = writer.to;
  graphs_scratch& s = writer.scratch;
  for (std::size_t hop = 0; hop < hops_; ++hop) {
    for (std::size_t r = 0; r < relations_.size(); ++r) {
      const sampled& relation = relations_[r];
      detail::sampled_rows& rows = s.rows[r];
      const graphs_batch::set_rows& into = to.sets[relation.destination];
      const std::int64_t first = into.offsets[hop], last = into.offsets[hop + 1];
      const std::int64_t fan_out = relation.fan_outs[hop];
      if (fan_out == 0) {
        for (std::int64_t v = first; v < last; ++v) rows.end_row();
        continue;
      }
      const adjacency in = relation.edges.in_edges();
      detail::vertex_numbers& sources = s.numbers[relation.source];
      const float* const weights = relation.weights.empty() ? nullptr : relation.weights.data();
      const auto pick = [&](std::int64_t local, std::int64_t* positions) {
        const std::int32_t v = into.vertices[at(local)];
        detail::draws random(number, detail::purpose::neighbours, static_cast<std::uint32_t>(hop),
                             static_cast<std::uint64_t>(r) << 32 | static_cast<std::uint64_t>(v));
        return detail::pick(random, detail::row_of(in, v, s.excluded[r]), fan_out, with_replacement_, weights, s.draws,
                            positions);
      };
      detail::expand_rows(
          in, with_replacement_ ? fan_out : 0, s.draws, into.vertices, first, last,
          [&](std::int32_t u) { sources.prefetch(u); }, pick,
          [&](std::int64_t, std::int64_t of, std::int64_t count) {
            rows.reserve(count);
            sources.number(s.draws.neighbours.data(), count, rows.next_sources());
            rows.add(s.draws.positions.data(), count);
            for (std::int64_t k = 0; k < of; ++k) rows.end_row(s.draws.ends[at(k)]);
          });
    }
    for (graphs_batch::set_rows& one : to.sets) one.offsets.push_back(static_cast<std::int64_t>(one.vertices.size()));
    for (std::size_t r = 0; r < relations_.size(); ++r) to.relations[r].offsets.push_back(s.rows[r].edges());
  }
}

void graphs_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                 std::uint64_t number) const {
  const set_seeds of_one_set[] = {{set, seeds}};
  sample_into(to, of_one_set, number);
}

void graphs_sampler::sample_into(graphs_batch& to, std::span<const set_seeds> seeds, std::uint64_t number,
                                 std::span<const edges_left_out> without) const {
  detail::lent<graphs_scratch> scratch(*pool_);
  try {
    if (seeds.empty()) throw error("graphs_sampler: seeds of no vertex set; give those of one");
    detail::graphs_writer writer(to, *scratch);
    leave_out(writer, without);
    begin(writer, seeds);
    draw(writer, number);
    finish(writer);
  } catch (...) {
    to = {};
    throw;
  }
}

/// Writes the table of the batch's graphs, which is made where there is none.
void graphs_sampler::finish(detail::graphs_writer& writer) const {
  graphs_batch& to = writer.to;
  graphs_batch::room& room = *to.memory;
  const bool is_new = room.table == nullptr;
  if (is_new) room.table = std::make_shared<detail::kind_table>();
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    if (is_new) {
      room.sets.push_back(std::make_shared<detail::named_kind>());
      room.sets[k]->name = sets_[k];
      room.table->put(room.sets[k]);
    }
    const std::vector<std::int32_t>& vertices = to.sets[k].vertices;
    detail::grow(room.sets[k]->larger, static_cast<std::int64_t>(vertices.size()));
    std::copy(vertices.begin(), vertices.end(), room.sets[k]->larger.begin());
    detail::write_set(*room.sets[k], static_cast<std::int64_t>(vertices.size()));
  }
  for (std::size_t r = 0; r < relations_.size(); ++r) {
    const sampled& relation = relations_[r];
    if (is_new) {
      room.relations.push_back(std::make_shared<detail::named_kind>());
      room.relations[r]->name = relation.names.name;
      room.relations[r]->source = relation.names.source;
      room.relations[r]->destination = relation.names.destination;
      room.table->put(room.relations[r]);
    }
    writer.scratch.rows[r].finish(to.sets[relation.source].vertices, to.sets[relation.destination].vertices);
    detail::write_relation(*room.relations[r], detail::graph_access::of(room.edges[r]));
  }
  if (!is_new) return;
  room.carrier = detail::state_carrying(room.table);
  to.graph = detail::graphs_access::of(detail::graph_access::of(room.carrier));
}

}  // namespace stg
