// The ends of pairs as seeds of their sets, and the edges between them that a model must not see.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "batch_writer.hpp"                 // targets_of_pairs
#include "link_pairs.hpp"                   // append_edges_between, pairs_of

#include <stg/base/error.hpp>                    // error
#include <stg/runtime/out_of_memory.hpp>         // no_memory
#include <stg/sampling/graphs_link_sampler.hpp>  // graphs_link_sampler

#include <algorithm>  // equal, fill, find_if, sort

namespace stg {

using detail::quote;

namespace {

/// Whether a relation has the edges of another turned round, each as often.
bool is_reverse(const graph& reverse, const graph& of) {
  if (reverse.edges() != of.edges()) return false;
  const adjacency out = of.out_edges(), in = reverse.in_edges();
  std::vector<std::int32_t> row;
  for (std::int64_t v = 0; v < out.rows(); ++v) {
    if (in.degree(v) != out.degree(v)) return false;
    row.assign(in.neighbours() + in.begin(v), in.neighbours() + in.end(v));
    std::sort(row.begin(), row.end());
    if (!std::equal(row.begin(), row.end(), out.neighbours() + out.begin(v))) return false;
  }
  return true;
}

relation_names names_of(const graphs& g, std::string_view relation) {
  g.relation(relation);  // for its error
  const std::vector<relation_names> all = g.relations();
  return *std::find_if(all.begin(), all.end(), [&](const relation_names& r) { return r.name == relation; });
}

}  // namespace

graphs_link_sampler::graphs_link_sampler(graphs_sampler from, std::string_view relation,
                                         const link_options& options) try
    : from_(std::move(from)), relation_(names_of(of(), relation)), edges_(of().relation(relation)), options_(options) {
  detail::check_links("graphs_link_sampler", options);
  const bool joins_a_set_to_itself = relation_.source == relation_.destination;
  hide(relation, options.leave_out_edges, options.leave_out_reverse && joins_a_set_to_itself);
  if (!options.leave_out_reverse) return;
  for (const relation_names& r : of().relations())
    if (r.name != relation_.name && r.source == relation_.destination && r.destination == relation_.source &&
        is_reverse(of().relation(r.name), edges_))
      hide(r.name, joins_a_set_to_itself, true);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_link_sampler::hide(std::string_view relation, bool along, bool against) try {
  const auto found =
      std::find_if(hidden_.begin(), hidden_.end(), [&](const hidden& h) { return h.relation == relation; });
  if (found == hidden_.end()) hidden_.push_back({std::string(relation), of().relation(relation), along, against});
  else found->along |= along, found->against |= against;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_link_sampler::hide(std::string_view relation) try {
  const relation_names r = names_of(of(), relation);
  const bool along = r.source == relation_.source && r.destination == relation_.destination;
  const bool against = r.source == relation_.destination && r.destination == relation_.source;
  if (!along && !against)
    throw error("graphs_link_sampler: relation " + quote(relation) + " from " + quote(r.source) + " to " +
                quote(r.destination) + " is to be left out of links from " + quote(relation_.source) + " to " +
                quote(relation_.destination) + "; name one that joins these sets");
  hide(relation, along, against);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_link_sampler::sample_into(graphs_batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const
    try {
  detail::link_pairs pairs;
  try {
    pairs = detail::pairs_of("graphs_link_sampler", edges_, edges, options_, number);
  } catch (...) {
    to = {};
    throw;
  }
  std::vector<std::vector<std::int64_t>> hidden_edges(hidden_.size());
  std::vector<edges_left_out> without;
  for (std::size_t h = 0; h < hidden_.size(); ++h) {
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const std::int32_t src = pairs.src[i], dst = pairs.dst[i];
      if (hidden_[h].along) detail::append_edges_between(hidden_[h].edges, src, dst, hidden_edges[h]);
      if (hidden_[h].against) detail::append_edges_between(hidden_[h].edges, dst, src, hidden_edges[h]);
    }
    without.push_back({hidden_[h].relation, hidden_edges[h]});
  }
  std::vector<std::int32_t> destinations(pairs.dst), sources(pairs.src);
  std::vector<set_seeds> seeds;
  if (relation_.source == relation_.destination) {
    destinations.insert(destinations.end(), sources.begin(), sources.end());
    detail::sort_distinct(destinations);
    sources = destinations;
    seeds = {{relation_.destination, destinations}};
  } else {
    detail::sort_distinct(destinations), detail::sort_distinct(sources);
    seeds = {{relation_.destination, destinations}, {relation_.source, sources}};
  }
  from_.sample_into(to, seeds, number, without);
  to.pair_relation = relation_;
  to.true_pairs = static_cast<std::int64_t>(edges.size());
  detail::number_among(sources, pairs.src, to.pair_src);
  detail::number_among(destinations, pairs.dst, to.pair_dst);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_link_sampler::sample_into(graphs_batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const
    try {
  const std::vector<std::int64_t> wide(edges.begin(), edges.end());
  sample_into(to, std::span<const std::int64_t>(wide), number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graphs_batch graphs_link_sampler::sample(std::span<const std::int64_t> edges, std::uint64_t number) const {
  graphs_batch b;
  sample_into(b, edges, number);
  return b;
}

namespace {

/// Pairs between the first vertices of their sets: all of them, or the seeds.
graphs graphs_of(const graphs_batch& b, bool of_seeds) {
  const relation_names& r = b.pair_relation;
  if (r.name.empty())
    throw error("graphs_batch: pairs of a batch that is of no links; sample it by graphs_link_sampler");
  const auto count = [&](const std::string& set) {
    const std::vector<std::int64_t>& offsets = b.of_set(set).offsets;
    return of_seeds ? offsets[1] : offsets.back();
  };
  graphs g;
  g.add_vertices(r.source, count(r.source));
  if (r.destination != r.source) g.add_vertices(r.destination, count(r.destination));
  const std::vector<std::int64_t> src(b.pair_src.begin(), b.pair_src.end()), dst(b.pair_dst.begin(), b.pair_dst.end());
  return g.add_edges(r.name, r.source, r.destination, src, dst);
}

}  // namespace

graphs graphs_batch::pairs() const try { return graphs_of(*this, false); } catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs graphs_batch::seed_pairs() const try { return graphs_of(*this, true); } catch (const std::bad_alloc&) {
  detail::no_memory();
}

edge_values<float> graphs_batch::pair_targets(const stg::graphs& of_pairs) const {
  return of_pairs.relation(pair_relation.name).edge_values(detail::targets_of_pairs(true_pairs, pair_src.size()));
}

}  // namespace stg
