// In-edges by fan-out of each relation, hop after hop.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "edge_weights.hpp"                 // checked_weights
#include "pick.hpp"                         // expand_rows, fan_outs_of, pick, row_of

#include <stg/base/error.hpp>  // error

#include <algorithm>  // minmax_element
#include <string>     // to_string

namespace stg {

/// What is drawn of the vertices of a batch.
struct detail::neighbour_draws {
  numbers_by_hop fan_outs{};  // by relation
  bool with_replacement = false;
  std::vector<std::vector<float>> weights{
      std::vector<std::vector<float>>(fan_outs.of.size())};  // of all edges, or empty

  void draw(batch_writer& to, std::uint64_t number) const {
    expand_hops(to, fan_outs, [&](std::size_t relation, std::size_t hop, std::int64_t fan_out) {
      draw_hop(to, relation, hop, fan_out, number);
    });
  }
  void draw_hop(batch_writer& to, std::size_t r, std::size_t hop, std::int64_t fan_out, std::uint64_t number) const {
    const sampled_relation& relation = to.kinds().relations()[r];
    const std::vector<std::int32_t>& into = to.set(relation.destination).vertices;
    vertex_numbers& sources = to.set(relation.source).numbers;
    sampled_rows& rows = to.relation(r).rows;
    batch_scratch& scratch = to.scratch();
    const adjacency in = relation.edges.in_edges();
    const std::vector<std::int64_t>& excluded = scratch.excluded[r];
    const float* const of_edges = weights[r].empty() ? nullptr : weights[r].data();
    expand_rows(
        to, r, with_replacement ? fan_out : 0, [&](std::int32_t u) { sources.prefetch(u); },
        [&](std::int64_t local, std::int64_t* positions) {
          const std::int32_t v = into[at(local)];
          draws random = draws_of(number, hop, r, v);
          return pick(random, row_of(in, v, excluded), fan_out, with_replacement, of_edges, scratch, positions);
        },
        [&](std::int64_t, std::int64_t, std::int64_t count) {
          sources.number(scratch.neighbours.data(), count, rows.next_sources());
          rows.add(scratch.positions.data(), count);
        });
  }
};

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options) try
    : sampler(g),
      draws_(new detail::neighbour_draws{
          detail::fan_outs_of("neighbour_sampler", std::move(options.fan_outs), options.with_replacement),
          options.with_replacement}) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options, const edge_values<float>& weights) try
    : neighbour_sampler(g, std::move(options)) {
  draws_->weights[0] = detail::checked_weights("neighbour_sampler", of(), weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void neighbour_sampler::draw(detail::batch_writer& to, std::span<const std::int32_t> seeds,
                             std::uint64_t number) const {
  to.begin(seeds);
  draws_->draw(to, number);
}

void neighbour_sampler::sample_without(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number,
                                       std::span<const std::int64_t> edges) const {
  detail::write<detail::graph_writer>(to, kinds(), [&](detail::batch_writer& writer) {
    const auto [least, most] = std::minmax_element(edges.begin(), edges.end());
    if (!edges.empty() && (*least < 0 || *most >= of().edges()))
      throw error("edge " + std::to_string(*least < 0 ? *least : *most) + " is to be left out; it must be in [0, " +
                  std::to_string(of().edges()) + ")");
    writer.leave_out(0, edges);
    draw(writer, seeds, number);
  });
}

graphs_sampler::graphs_sampler(const graphs& g, graphs_options options) try
    : sampler_of_graphs("graphs_sampler", g),
      draws_(new detail::neighbour_draws{
          detail::fan_outs_of("graphs_sampler", kinds(), options.fan_outs, options.of, options.with_replacement),
          options.with_replacement}) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_sampler::weigh(std::string_view relation, const edge_values<float>& weights) try {
  const std::size_t r = kinds().number_of_relation(relation);
  draws_->weights[r] = detail::checked_weights("graphs_sampler", kinds().relations()[r].edges, weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                 std::uint64_t number) const {
  const set_seeds of_one_set[] = {{set, seeds}};
  sample_into(to, of_one_set, number);
}

void graphs_sampler::sample_into(graphs_batch& to, std::span<const set_seeds> seeds, std::uint64_t number,
                                 std::span<const edges_left_out> without) const {
  detail::write<detail::graphs_writer>(to, kinds(), [&](detail::batch_writer& writer) {
    if (seeds.empty()) throw error("graphs_sampler: seeds of no vertex set; give those of one");
    for (const edges_left_out& of : without) {
      const std::size_t r = kinds().number_of_relation(of.relation);
      const std::int64_t all = kinds().relations()[r].edges.edges();
      for (const std::int64_t e : of.edges)
        if (e < 0 || e >= all)
          throw error("edge " + std::to_string(e) + " of " + detail::quote(of.relation) +
                      " is to be left out; it must be in [0, " + std::to_string(all) + ")");
      writer.leave_out(r, of.edges);
    }
    writer.begin(seeds);
    draws_->draw(writer, number);
  });
}

}  // namespace stg
