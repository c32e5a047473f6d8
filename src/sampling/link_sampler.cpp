// The ends of pairs as seeds of their sets, and the edges between them that a model must not see.
#include "../runtime/graph/kind_table.hpp"  // quote

#include <stg/base/error.hpp>                    // error
#include <stg/runtime/out_of_memory.hpp>         // no_memory
#include <stg/sampling/graphs_link_sampler.hpp>  // graphs_link_sampler, link_sampler

#include <algorithm>  // equal, equal_range, find_if, lower_bound, sort, unique
#include <string>     // to_string

namespace stg {

using detail::quote;

namespace {

/// The row that an edge lies in.
std::int32_t destination_of(const graph& g, std::int64_t edge) {
  const adjacency in = g.in_edges();
  std::int64_t low = 0, high = in.rows() - 1;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (in.end(middle) <= edge) low = middle + 1;
    else high = middle;
  }
  return static_cast<std::int32_t>(low);
}

/// Error for negative numbers of negatives.
void check_links(const char* by, const link_options& options) {
  if (options.negatives < 0)
    throw error(std::string(by) + ": " + std::to_string(options.negatives) +
                " negatives for each edge; give 0 or more");
}

/// Each once, ascending.
void sort_distinct(std::vector<std::int32_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// Where each of some vertices stands among seeds, which ascend.
void number_among(const std::vector<std::int32_t>& seeds, const std::vector<std::int32_t>& vertices,
                  std::vector<std::int32_t>& to) {
  to.clear();
  for (const std::int32_t v : vertices)
    to.push_back(static_cast<std::int32_t>(std::lower_bound(seeds.begin(), seeds.end(), v) - seeds.begin()));
}

/// Pairs by the vertices of the large graph: edges, then for the first of them its negatives, and so on.
struct link_pairs {
  std::vector<std::int32_t> src{}, dst{};
  std::vector<std::int32_t> sources{}, destinations{};  // seeds, each once, ascending; of one set `sources` has both
  std::vector<std::int32_t> asked_src{}, asked_dst{};   // the ends of all edges that are asked for, on all ranks
  std::size_t edges = 0;
  bool of_one_set = true;

  const std::vector<std::int32_t>& seeds_of_destinations() const { return of_one_set ? sources : destinations; }

  /// Ids of all edges of a graph between the ends of a true pair, from its source to its destination or the other way.
  void append_edges_between(const graph& g, bool along, bool against, std::vector<std::int64_t>& to) const {
    const adjacency out = g.out_edges();
    const auto append = [&](std::int32_t from, std::int32_t into) {  // destinations of a row of out-edges ascend
      const std::int32_t* const row = out.neighbours();
      const auto [first, last] = std::equal_range(row + out.begin(from), row + out.end(from), into);
      for (const auto* k = first; k != last; ++k) to.push_back(out.edge_id(k - row));
    };
    for (std::size_t i = 0; i < asked_src.size(); ++i) {
      if (along) append(asked_src[i], asked_dst[i]);
      if (against) append(asked_dst[i], asked_src[i]);
    }
  }

  /// The pairs by their ends' numbers in the batch.
  template <class Batch> void write_to(Batch& b) const {
    b.true_pairs = static_cast<std::int64_t>(edges);
    number_among(sources, src, b.pair_src);
    number_among(seeds_of_destinations(), dst, b.pair_dst);
  }
};

/// Pairs of the requested edges [first, last) of a relation. Errors, begun by `by`: an id without an edge, with its
/// position, and those of `negative_destinations`.
link_pairs pairs_of(const char* by, const graph& g, bool joins_a_set_to_itself, std::span<const std::int64_t> edges,
                    std::int64_t first, std::int64_t last, const link_options& options, std::uint64_t number) {
  link_pairs pairs{.edges = static_cast<std::size_t>(last - first), .of_one_set = joins_a_set_to_itself};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (edges[i] < 0 || edges[i] >= g.edges())
      throw error(std::string(by) + ": edge " + std::to_string(i) + " is " + std::to_string(edges[i]) +
                  "; it must be in [0, " + std::to_string(g.edges()) + ")");
    pairs.asked_src.push_back(g.in_edges().neighbour(edges[i]));
    pairs.asked_dst.push_back(destination_of(g, edges[i]));
  }
  pairs.src.assign(pairs.asked_src.begin() + first, pairs.asked_src.begin() + last);
  pairs.dst.assign(pairs.asked_dst.begin() + first, pairs.asked_dst.begin() + last);
  const auto wrong = negative_destinations(g, pairs.src, options.negatives, number, options.which, first);
  pairs.src.reserve(pairs.edges + wrong.size());
  for (std::size_t i = 0; i < pairs.edges; ++i)
    for (std::int64_t k = 0; k < options.negatives; ++k) pairs.src.push_back(pairs.src[i]);
  pairs.dst.insert(pairs.dst.end(), wrong.begin(), wrong.end());
  pairs.sources = pairs.src;
  std::vector<std::int32_t>& destinations = joins_a_set_to_itself ? pairs.sources : pairs.destinations;
  destinations.insert(destinations.end(), pairs.dst.begin(), pairs.dst.end());
  sort_distinct(pairs.sources), sort_distinct(pairs.destinations);
  return pairs;
}

/// Ids of 32 bits in 64.
std::vector<std::int64_t> wide(std::span<const std::int32_t> edges) try {
  return {edges.begin(), edges.end()};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
/// Error for a share that is none.
void check_share(const char* by, std::size_t edges, std::int64_t first, std::int64_t last) {
  if (first < 0 || first > last || last > static_cast<std::int64_t>(edges))
    throw error(std::string(by) + ": a share from edge " + std::to_string(first) + " to " + std::to_string(last) +
                " of " + std::to_string(edges) + "; give a range of these");
}

}  // namespace

link_sampler::link_sampler(neighbour_sampler from, const link_options& options)
    : from_(std::move(from)), options_(options) {
  check_links("link_sampler", options);
}

void link_sampler::sample_some(batch& to, std::span<const std::int64_t> edges, std::int64_t first, std::int64_t last,
                               std::uint64_t number) const try {
  const link_pairs pairs = pairs_of("link_sampler", of(), true, edges, first, last, options_, number);
  std::vector<std::int64_t> hidden;
  pairs.append_edges_between(of(), options_.leave_out_edges, options_.leave_out_reverse, hidden);
  from_.sample_without(to, pairs.sources, number, hidden);
  pairs.write_to(to);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void link_sampler::sample_into(batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const {
  sample_some(to, edges, 0, static_cast<std::int64_t>(edges.size()), number);
}
void link_sampler::sample_into(batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const {
  sample_into(to, wide(edges), number);
}
void link_sampler::sample_share_into(batch& to, std::span<const std::int32_t> edges, std::int64_t first,
                                     std::int64_t last, std::uint64_t number) const {
  check_share("link_sampler", edges.size(), first, last);
  sample_some(to, wide(edges), first, last, number);
}

batch link_sampler::sample(std::span<const std::int64_t> edges, std::uint64_t number) const {
  batch b;
  sample_into(b, edges, number);
  return b;
}

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
  check_links("graphs_link_sampler", options);
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

void graphs_link_sampler::sample_some(graphs_batch& to, std::span<const std::int64_t> edges, std::int64_t first,
                                      std::int64_t last, std::uint64_t number) const try {
  const bool joins_a_set_to_itself = relation_.source == relation_.destination;
  link_pairs pairs;
  try {
    pairs = pairs_of("graphs_link_sampler", edges_, joins_a_set_to_itself, edges, first, last, options_, number);
  } catch (...) {
    to = {};
    throw;
  }
  std::vector<std::vector<std::int64_t>> hidden_edges(hidden_.size());
  std::vector<edges_left_out> without;
  for (std::size_t h = 0; h < hidden_.size(); ++h) {
    pairs.append_edges_between(hidden_[h].edges, hidden_[h].along, hidden_[h].against, hidden_edges[h]);
    without.push_back({hidden_[h].relation, hidden_edges[h]});
  }
  const set_seeds seeds[] = {{relation_.destination, pairs.seeds_of_destinations()}, {relation_.source, pairs.sources}};
  from_.sample_into(to, std::span(seeds, joins_a_set_to_itself ? 1 : 2), number, without);
  to.pair_relation = relation_;
  pairs.write_to(to);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_link_sampler::sample_into(graphs_batch& to, std::span<const std::int64_t> edges,
                                      std::uint64_t number) const {
  sample_some(to, edges, 0, static_cast<std::int64_t>(edges.size()), number);
}
void graphs_link_sampler::sample_into(graphs_batch& to, std::span<const std::int32_t> edges,
                                      std::uint64_t number) const {
  sample_into(to, wide(edges), number);
}
void graphs_link_sampler::sample_share_into(graphs_batch& to, std::span<const std::int32_t> edges, std::int64_t first,
                                            std::int64_t last, std::uint64_t number) const {
  check_share("graphs_link_sampler", edges.size(), first, last);
  sample_some(to, wide(edges), first, last, number);
}

graphs_batch graphs_link_sampler::sample(std::span<const std::int64_t> edges, std::uint64_t number) const {
  graphs_batch b;
  sample_into(b, edges, number);
  return b;
}

}  // namespace stg
