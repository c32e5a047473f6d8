// Candidates of a set for a hop, counted once each, drawn by their sums of squares, and the edges of those that came.
#include "../runtime/graph/kind_table.hpp"  // quote
#include "batch_writer.hpp"                 // batch_writer
#include "draws.hpp"                        // draws
#include "edge_weights.hpp"                 // checked_weights

#include <stg/base/error.hpp>                     // error
#include <stg/runtime/adjacency.hpp>              // adjacency
#include <stg/sampling/graphs_layer_sampler.hpp>  // graphs_layer_sampler
#include <stg/sampling/layer_sampler.hpp>         // layer_sampler

#include <algorithm>  // min, upper_bound
#include <cmath>      // nextafter
#include <limits>     // numeric_limits
#include <string>     // to_string

namespace stg {

namespace {

/// Errors of numbers of draws, which `by` begins: negative ones, and more than are counted. of: " of vertex set 'a'".
void check_draws(const std::string& by, std::span<const std::int64_t> draws, const std::string& of = "") {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  for (std::size_t h = 0; h < draws.size(); ++h)
    if (draws[h] < 0 || draws[h] > most)
      throw error(by + ": " + std::to_string(draws[h]) + " draws" + of + " in hop " + std::to_string(h + 1) +
                  "; give 0 to " + std::to_string(most));
}

}  // namespace

namespace detail {

/// Candidates are counted in the order in which they are met, each edge of theirs is added, then they are drawn.
class hop_candidates {
 public:
  /// Of a set of so many vertices.
  hop_candidates(batch_scratch& scratch, std::int64_t vertices) : s_(scratch) {
    s_.start_candidates(vertices);
    s_.sums.clear();
  }

  /// An edge from u with its P.
  void add(std::int32_t u, double p) {
    const auto c = static_cast<std::size_t>(s_.candidate(u));
    if (c == s_.sums.size()) s_.sums.push_back(0);
    s_.sums[c] += p * p;
  }

  void draw(draws random, std::int64_t count) {
    count_ = count;
    for (double& q : s_.sums) q = total_ += q;
    s_.counts.assign(s_.sums.size(), 0);
    for (std::int64_t i = 0; i < count && total_ > 0; ++i) {
      const double share = std::min(random.uniform() * total_, std::nextafter(total_, 0.0));
      ++s_.counts[static_cast<std::size_t>(std::upper_bound(s_.sums.begin(), s_.sums.end(), share) - s_.sums.begin())];
    }
  }

  /// P · times drawn / (draws · q(u) / Σ q) of an edge that was added; 0: it is not taken.
  double weight(std::int32_t u, double p) {
    const auto c = static_cast<std::size_t>(s_.candidate(u));
    if (s_.counts[c] == 0 || p == 0) return 0;
    const double q = s_.sums[c] - (c == 0 ? 0 : s_.sums[c - 1]);
    return p * s_.counts[c] * total_ / (static_cast<double>(count_) * q);
  }

 private:
  batch_scratch& s_;
  double total_ = 0;
  std::int64_t count_ = 0;
};

/// What is drawn for the hops of a batch.
struct layer_draws {
  numbers_by_hop of_sets{};
  std::vector<std::vector<float>> weights{};  // by relation: of all edges, or empty

  void draw(batch_writer& to, std::uint64_t number) const {
    for (std::size_t hop = 0; hop < of_sets.hops; ++hop) {
      for (std::size_t s = 0; s < of_sets.of.size(); ++s) draw_hop(to, s, hop, number);
      to.end_hop();
    }
  }

  /// Calls body(u, edge, P) for all edges of a relation into a vertex of the batch. Without weights P is 1 / in-degree.
  template <class Body> void each_edge(batch_writer& of, std::size_t r, std::int64_t local, const Body& body) const {
    const sampled_relation& relation = of.kinds().relations()[r];
    const adjacency in = relation.edges.in_edges();
    const std::int32_t v = of.set(relation.destination).vertices[at(local)];
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k)
      body(in.neighbour(k), k,
           weights[r].empty() ? 1.0 / static_cast<double>(in.degree(v)) : static_cast<double>(weights[r][at(k)]));
  }

  void draw_hop(batch_writer& to, std::size_t set, std::size_t hop, std::uint64_t number) const {
    const auto each_relation = [&](const auto& body) {
      for (std::size_t r = 0; r < weights.size(); ++r)
        if (to.kinds().relations()[r].source == set) body(r);
    };
    const std::int64_t count = of_sets.of[set][hop];
    if (count == 0) return each_relation([&](std::size_t r) { to.skip(r); });
    hop_candidates drawn(to.scratch(), to.kinds().sets()[set].vertices);
    each_relation([&](std::size_t r) {
      const std::size_t into = to.kinds().relations()[r].destination;
      for (std::int64_t local = to.first(into); local < to.last(into); ++local)
        each_edge(to, r, local, [&](std::int32_t u, std::int64_t, double p) { drawn.add(u, p); });
    });
    drawn.draw({number, purpose::layer, static_cast<std::uint32_t>(hop), set}, count);
    each_relation([&](std::size_t r) { take(to, r, drawn); });
  }

  /// The edges of a relation from vertices that were drawn, row by row.
  void take(batch_writer& to, std::size_t r, hop_candidates& drawn) const {
    const sampled_relation& relation = to.kinds().relations()[r];
    const adjacency in = relation.edges.in_edges();
    vertex_numbers& sources = to.set(relation.source).numbers;
    written_relation& written = to.relation(r);
    for (std::int64_t local = to.first(relation.destination); local < to.last(relation.destination); ++local) {
      written.rows.reserve(in.degree(to.set(relation.destination).vertices[at(local)]));
      each_edge(to, r, local, [&](std::int32_t u, std::int64_t k, double p) {
        const double w = drawn.weight(u, p);
        if (w == 0) return;
        written.rows.add(sources.local_of(u), k);
        written.edge_weights.push_back(static_cast<float>(w));
      });
      written.rows.end_row();
    }
  }
};

}  // namespace detail

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws) try : sampler(g) {
  check_draws("layer_sampler", draws);
  draws_.reset(new detail::layer_draws{detail::numbers_of_hops(std::move(draws)), std::vector<std::vector<float>>(1)});
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

layer_sampler::layer_sampler(const graph& g, std::vector<std::int64_t> draws, const edge_values<float>& weights) try
    : layer_sampler(g, std::move(draws)) {
  draws_->weights[0] = detail::checked_weights("layer_sampler", of(), weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void layer_sampler::draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  to.begin(seeds);
  draws_->draw(to, number);
}

graphs_layer_sampler::graphs_layer_sampler(const graphs& g, const graphs_layer_options& options) try
    : sampler_of_graphs("graphs_layer_sampler", g) {
  check_draws("graphs_layer_sampler", options.draws);
  std::vector<detail::named_hops> given;
  for (const set_draws& of : options.of) {
    check_draws("graphs_layer_sampler", of.draws, " of vertex set " + detail::quote(of.set));
    given.push_back({of.set, of.draws});
  }
  std::vector<std::string_view> names;
  for (const detail::sampled_set& s : kinds().sets()) names.push_back(s.name);
  draws_.reset(new detail::layer_draws{
      detail::numbers_of_hops("graphs_layer_sampler", "draws of vertex set", names, options.draws, given),
      std::vector<std::vector<float>>(kinds().relations().size())});
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_layer_sampler::weigh(std::string_view relation, const edge_values<float>& weights) try {
  const std::size_t r = kinds().number_of_relation(relation);
  draws_->weights[r] = detail::checked_weights("graphs_layer_sampler", kinds().relations()[r].edges, weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_layer_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                       std::uint64_t number) const {
  detail::write<detail::graphs_writer>(to, kinds(), [&](detail::batch_writer& writer) {
    const set_seeds of_one_set[] = {{set, seeds}};
    writer.begin(of_one_set);
    draws_->draw(writer, number);
  });
}

}  // namespace stg
