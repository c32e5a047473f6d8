// Draws of each set for a hop, and the edges of all relations from those that came.
#include "edge_weights.hpp"  // checked_weights
#include "graphs_parts.hpp"  // graphs_parts, graphs_writer
#include "layer_draws.hpp"   // check_draws, layer_draws

#include <stg/runtime/out_of_memory.hpp>          // no_memory
#include <stg/sampling/graphs_layer_sampler.hpp>  // graphs_layer_sampler

namespace stg {

struct graphs_layer_sampler::state {
  detail::graphs_parts parts;
  detail::numbers_by_hop draws{};             // by set
  std::vector<std::vector<float>> weights{};  // by relation: of all edges, or empty

  /// Calls body(u, edge, P) for all edges of a relation into a vertex of the batch.
  template <class Body>
  void each_edge(detail::graphs_writer& of, std::size_t r, std::int64_t local, const Body& body) const {
    const detail::sampled_relation& relation = parts.relations()[r];
    const adjacency in = relation.edges.in_edges();
    const std::int32_t v = of.to().sets[relation.destination].vertices[detail::at(local)];
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      body(in.neighbour(k), k, detail::share_of_edge(in, weights[r], v, k));
  }
  void draw_hop(detail::graphs_writer& to, std::size_t set, std::size_t hop, std::uint64_t number) const;
  void take(detail::graphs_writer& to, std::size_t relation, detail::layer_draws& drawn) const;
};

graphs_layer_sampler::graphs_layer_sampler(const graphs& g, const graphs_layer_options& options) try
    : state_(new state{detail::graphs_parts("graphs_layer_sampler", g)}) {
  detail::check_draws("graphs_layer_sampler", options.draws);
  std::vector<detail::named_hops> given;
  for (const set_draws& of : options.of) {
    detail::check_draws("graphs_layer_sampler", of.draws, " of vertex set " + detail::quote(of.set));
    given.push_back({of.set, of.draws});
  }
  const std::vector<std::string>& sets = state_->parts.sets();
  const std::vector<std::string_view> names(sets.begin(), sets.end());
  state_->draws = detail::numbers_of_hops("graphs_layer_sampler", "draws of vertex set", names, options.draws, given);
  state_->weights.resize(state_->parts.relations().size());
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs_layer_sampler::~graphs_layer_sampler() = default;
graphs_layer_sampler::graphs_layer_sampler(graphs_layer_sampler&&) noexcept = default;

const graphs& graphs_layer_sampler::of() const& { return state_->parts.all(); }

void graphs_layer_sampler::weigh(std::string_view relation, const edge_values<float>& weights) try {
  const std::size_t r = state_->parts.number_of_relation(relation);
  state_->weights[r] = detail::checked_weights("graphs_layer_sampler", state_->parts.relations()[r].edges, weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

/// The edges of a relation from vertices that were drawn, row by row.
void graphs_layer_sampler::state::take(detail::graphs_writer& to, std::size_t r, detail::layer_draws& drawn) const {
  const detail::sampled_relation& relation = parts.relations()[r];
  const adjacency in = relation.edges.in_edges();
  detail::vertex_numbers& sources = to.numbers(relation.source);
  detail::sampled_rows& rows = to.rows(r);
  std::vector<float>& of_edges = to.to().relations[r].edge_weights;
  for (std::int64_t local = to.first(relation.destination); local < to.last(relation.destination); ++local) {
    rows.reserve(in.degree(to.to().sets[relation.destination].vertices[detail::at(local)]));
    each_edge(to, r, local, [&](std::int32_t u, std::int64_t k, double p) {
      const double w = drawn.weight(u, p);
      if (w == 0) return;
      rows.add(sources.local_of(u), k);
      of_edges.push_back(static_cast<float>(w));
    });
    rows.end_row();
  }
}

void graphs_layer_sampler::state::draw_hop(detail::graphs_writer& to, std::size_t set, std::size_t hop,
                                           std::uint64_t number) const {
  const auto each_relation = [&](const auto& body) {
    for (std::size_t r = 0; r < parts.relations().size(); ++r)
      if (parts.relations()[r].source == set) body(r);
  };
  if (draws.of[set][hop] == 0) return each_relation([&](std::size_t r) { to.skip(r); });
  detail::layer_draws drawn(to.scratch().draws, parts.all().vertices(parts.sets()[set]));
  each_relation([&](std::size_t r) {
    const std::size_t into = parts.relations()[r].destination;
    for (std::int64_t local = to.first(into); local < to.last(into); ++local)
      each_edge(to, r, local, [&](std::int32_t u, std::int64_t, double p) { drawn.add(u, p); });
  });
  detail::draws random(number, detail::purpose::layer, static_cast<std::uint32_t>(hop), set);
  drawn.draw(random, draws.of[set][hop]);
  each_relation([&](std::size_t r) { take(to, r, drawn); });
}

void graphs_layer_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                       std::uint64_t number) const try {
  state_->parts.write(to, [&](detail::graphs_writer& writer) {
    const set_seeds of_one_set[] = {{set, seeds}};
    writer.begin(of_one_set);
    for (std::size_t hop = 0; hop < state_->draws.hops; ++hop) {
      for (std::size_t s = 0; s < state_->parts.sets().size(); ++s) state_->draw_hop(writer, s, hop, number);
      writer.end_hop();
    }
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
