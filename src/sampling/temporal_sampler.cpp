// Earlier in-edges of each relation, hop after hop, for seeds that share no vertices.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "pick.hpp"                         // expand_rows, fan_outs_of

#include <stg/base/error.hpp>                        // error
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/sampling/temporal_sampler.hpp>         // temporal_sampler

#include <algorithm>  // copy, fill, lower_bound, min, stable_sort
#include <cmath>      // isnan
#include <numeric>    // iota
#include <string>     // to_string

namespace stg {

namespace detail {

/// In-edges of each vertex of a graph in the order of time: those before a moment are a part from the beginning of a
/// row.
struct edge_times {
  std::vector<std::int64_t> positions{};  // (edges) ascending in time within a row; empty: edges are there at all times
  std::vector<double> times{};            // (edges) the time of each
  bool latest = false;

  std::int64_t earlier(const adjacency& in, std::int32_t v, const double* before) const {
    if (before == nullptr || positions.empty()) return in.degree(v);
    const double* const row = times.data() + in.begin(v);
    return std::lower_bound(row, row + in.degree(v), *before) - row;
  }

  /// Writes how many edges are earlier for vertices [first, …) of a batch, whose seeds are `roots`, and 0 before them.
  void count_earlier(const adjacency& in, const std::vector<std::int32_t>& vertices,
                     const std::vector<std::int32_t>& roots, std::span<const double> of_seeds, std::int64_t first,
                     std::vector<std::int32_t>& to) const {
    grow(to, static_cast<std::int64_t>(vertices.size()));
    std::fill(to.begin(), to.begin() + first, 0);
    for (std::size_t v = at(first); v < vertices.size(); ++v)
      to[v] = static_cast<std::int32_t>(earlier(in, vertices[v], of_seeds.empty() ? nullptr : &of_seeds[at(roots[v])]));
  }

  /// Writes the positions of the edges that are taken of a vertex before a time, and returns their end; null: no time.
  std::int64_t* pick(draws& random, const adjacency& in, std::int32_t v, const double* before, std::int64_t fan_out,
                     batch_scratch& scratch, std::int64_t* to) const {
    const std::int64_t there = earlier(in, v, before);
    const std::int64_t count = fan_out == all_neighbours ? there : std::min(fan_out, there);
    if (positions.empty()) return choose(random, there, count, scratch, in.begin(v), to);
    const std::int64_t* const position = positions.data() + in.begin(v);
    if (latest) return std::copy(position + there - count, position + there, to);
    std::int64_t* const end = choose(random, there, count, scratch, 0, to);
    for (; to != end; ++to) *to = position[*to];
    return to;
  }
};

namespace {

/// Errors that begin with `what`: values of another graph, not one number per edge, and a time that is NaN, with the
/// edge, counted in input order.
edge_times checked_times(const std::string& what, const graph& of, const edge_values<double>& times) {
  const tensor<double> in_order = of.to_input_order(times);  // whose checks name what is wrong
  if (in_order.rank() != 1)
    throw error(what + ": times of shape " + to_string(in_order.shape()) + "; give one per edge");
  for (std::int64_t e = 0; e < in_order.size(); ++e)
    if (std::isnan(in_order(e))) throw error(what + ": the time of edge " + std::to_string(e) + " is NaN");
  const double* const of_edge = times.values().data();
  const adjacency in = of.in_edges();
  edge_times sorted;
  sorted.positions.resize(at(in.edges()));
  std::iota(sorted.positions.begin(), sorted.positions.end(), std::int64_t{0});
  for (std::int64_t v = 0; v < in.rows(); ++v)
    std::stable_sort(sorted.positions.begin() + in.begin(v), sorted.positions.begin() + in.end(v),
                     [&](std::int64_t a, std::int64_t b) { return of_edge[a] < of_edge[b]; });
  for (const std::int64_t k : sorted.positions) sorted.times.push_back(of_edge[k]);
  return sorted;
}

/// Errors of times of seeds: not one for each, and NaN.
void check_times_of_seeds(const char* what, std::size_t seeds, std::span<const double> times) {
  if (times.size() != seeds)
    throw error(std::string(what) + ": " + std::to_string(times.size()) + " times for " + std::to_string(seeds) +
                " seeds; give one for each");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isnan(times[i])) throw error(std::string(what) + ": the time of seed " + std::to_string(i) + " is NaN");
}

}  // namespace

/// What is drawn of the vertices of a batch.
struct temporal_draws {
  numbers_by_hop fan_outs{};  // by relation
  bool latest = false;
  std::vector<edge_times> times{std::vector<edge_times>(fan_outs.of.size())};

  void set_times(const std::string& by, const sampled_kinds& kinds, std::size_t r, const edge_values<double>& of) {
    times[r] = checked_times(by, kinds.relations()[r].edges, of);
    times[r].latest = latest;
  }

  /// of_seeds: their times, or none: all edges are earlier.
  void draw(batch_writer& to, const set_seeds& seeds, std::span<const double> of_seeds, std::uint64_t number) const {
    to.begin_apart(seeds);
    expand_hops(to, fan_outs, [&](std::size_t relation, std::size_t hop, std::int64_t fan_out) {
      draw_hop(to, relation, hop, fan_out, of_seeds, number);
    });
    for (std::size_t r = 0; r < times.size(); ++r) {
      const sampled_relation& relation = to.kinds().relations()[r];
      const written_set& into = to.set(relation.destination);
      times[r].count_earlier(relation.edges.in_edges(), into.vertices, into.roots, of_seeds,
                             to.first(relation.destination), to.relation(r).earlier_degrees);
    }
  }
  void draw_hop(batch_writer& to, std::size_t r, std::size_t hop, std::int64_t fan_out,
                std::span<const double> of_seeds, std::uint64_t number) const {
    const sampled_relation& relation = to.kinds().relations()[r];
    written_set &from = to.set(relation.source), &into = to.set(relation.destination);
    sampled_rows& rows = to.relation(r).rows;
    batch_scratch& scratch = to.scratch();
    const adjacency in = relation.edges.in_edges();
    expand_rows(
        to, r, 0, [](std::int32_t) {},
        [&](std::int64_t local, std::int64_t* positions) {
          const std::int32_t v = into.vertices[at(local)];
          const double* const before = of_seeds.empty() ? nullptr : &of_seeds[at(into.roots[at(local)])];
          draws random = draws_of(number, hop, r, v);
          return times[r].pick(random, in, v, before, fan_out, scratch, positions);
        },
        [&](std::int64_t first, std::int64_t count_of_rows, std::int64_t) {
          std::size_t i = 0;
          for (std::int64_t k = 0; k < count_of_rows; ++k)
            for (const std::int32_t root = into.roots[at(first + k)]; i < at(scratch.ends[at(k)]); ++i) {
              rows.add(from.numbers.add(scratch.neighbours[i]), scratch.positions[i]);
              from.roots.push_back(root);
            }
        });
  }
};

}  // namespace detail

temporal_sampler::temporal_sampler(const graph& g, temporal_options options, const edge_values<double>& times) try
    : sampler(g),
      draws_(new detail::temporal_draws{detail::fan_outs_of("temporal_sampler", std::move(options.fan_outs), false),
                                        options.latest}) {
  draws_->set_times("temporal_sampler", kinds(), 0, times);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void temporal_sampler::draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  draws_->draw(to, {"", seeds}, {}, number);
}

void temporal_sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::span<const double> times,
                                   std::uint64_t number) const {
  detail::write<detail::graph_writer>(to, kinds(), [&](detail::batch_writer& writer) {
    detail::check_times_of_seeds("temporal_sampler", seeds.size(), times);
    draws_->draw(writer, {"", seeds}, times, number);
  });
}

batch temporal_sampler::sample(std::span<const std::int32_t> seeds, std::span<const double> times,
                               std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, times, number);
  return b;
}

graphs_temporal_sampler::graphs_temporal_sampler(const graphs& g, const graphs_temporal_options& options) try
    : sampler_of_graphs("graphs_temporal_sampler", g),
      draws_(new detail::temporal_draws{
          detail::fan_outs_of("graphs_temporal_sampler", kinds(), options.fan_outs, options.of, false),
          options.latest}) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_temporal_sampler::set_times(std::string_view relation, const edge_values<double>& times) try {
  draws_->set_times("graphs_temporal_sampler: relation " + detail::quote(relation), kinds(),
                    kinds().number_of_relation(relation), times);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_temporal_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                          std::span<const double> times, std::uint64_t number) const {
  detail::write<detail::graphs_writer>(to, kinds(), [&](detail::batch_writer& writer) {
    detail::check_times_of_seeds("graphs_temporal_sampler", seeds.size(), times);
    draws_->draw(writer, {set, seeds}, times, number);
  });
}

}  // namespace stg
