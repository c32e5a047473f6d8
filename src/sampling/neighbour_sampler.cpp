// Fan-outs: which in-edges of a vertex are taken, uniformly or by weight, with or without replacement.
#include "edge_weights.hpp"  // checked_weights
#include "expand.hpp"        // expand_hop, choose

#include <stg/base/error.hpp>                  // error
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <cmath>   // log, nextafter
#include <string>  // to_string

namespace stg {

namespace {

using detail::batch_scratch;
using detail::draws;

/// The in-edges of a vertex without those that are excluded, which lie among them in ascending order.
struct row {
  std::int64_t first = 0, count = 0;
  std::span<const std::int64_t> excluded{};

  std::int64_t position(std::int64_t i) const {
    std::int64_t p = first + i;
    for (const std::int64_t x : excluded) {
      if (x > p) break;
      ++p;
    }
    return p;
  }
};

row row_of(const adjacency& in, std::int32_t v, std::span<const std::int64_t> excluded) {
  row r{in.begin(v), in.degree(v), {}};
  if (excluded.empty() || r.count == 0) return r;
  const auto low = std::lower_bound(excluded.begin(), excluded.end(), r.first);
  const auto high = std::lower_bound(low, excluded.end(), r.first + r.count);
  r.excluded = {low, high};
  r.count -= high - low;
  return r;
}

// Each writes the positions of the edges that are taken of a row, and returns their end.

/// Uniformly; of a row without gaps, which are put in afterwards where edges are excluded.
std::int64_t* pick_uniform(draws& random, const row& r, std::int64_t fan_out, bool with_replacement,
                           batch_scratch& scratch, std::int64_t* to) {
  std::int64_t* const begin = to;
  if (r.count == 0) return to;
  if (with_replacement) {
    for (std::int64_t i = 0; i < fan_out; ++i) *to++ = r.first + random.below(static_cast<std::uint32_t>(r.count));
  } else {
    to = detail::choose(random, r.count, fan_out == all_neighbours ? r.count : fan_out, scratch, r.first, to);
  }
  if (r.excluded.empty()) return to;
  for (std::int64_t* i = begin; i != to; ++i) *i = r.position(*i - r.first);
  return to;
}

/// Each draw in proportion to the weights: the first sum above a uniform share of their total.
std::int64_t* pick_by_weight_again(draws& random, const row& r, std::int64_t fan_out, const float* weights,
                                   batch_scratch& scratch, std::int64_t* to) {
  scratch.sums.clear();
  double sum = 0;
  for (std::int64_t i = 0; i < r.count; ++i) scratch.sums.push_back(sum += static_cast<double>(weights[r.position(i)]));
  if (!(sum > 0)) return to;
  for (std::int64_t i = 0; i < fan_out; ++i) {
    const double share = std::min(random.uniform() * sum, std::nextafter(sum, 0.0));
    const auto found = std::upper_bound(scratch.sums.begin(), scratch.sums.end(), share);
    *to++ = r.position(found - scratch.sums.begin());
  }
  return to;
}

/// Without replacement: the edges whose -log(u) / weight are smallest, which is a sequence of draws in proportion to
/// the weights of what is left. u is drawn for edges of weight 0 as well, so that no weight moves the others'.
std::int64_t* pick_by_weight(draws& random, const row& r, std::int64_t fan_out, const float* weights,
                             batch_scratch& scratch, std::int64_t* to) {
  auto& keys = scratch.keys;
  keys.clear();
  for (std::int64_t i = 0; i < r.count; ++i) {
    const std::int64_t p = r.position(i);
    const double u = 1 - random.uniform();  // in (0, 1]
    if (weights[p] > 0) keys.emplace_back(-std::log(u) / static_cast<double>(weights[p]), p);
  }
  if (fan_out != all_neighbours && static_cast<std::int64_t>(keys.size()) > fan_out) {
    std::nth_element(keys.begin(), keys.begin() + fan_out, keys.end());
    keys.resize(static_cast<std::size_t>(fan_out));
  }
  std::int64_t* const begin = to;
  for (const auto& [key, p] : keys) *to++ = p;
  std::sort(begin, to);
  return to;
}

void check(const neighbour_options& options) {
  for (std::size_t h = 0; h < options.fan_outs.size(); ++h) {
    const std::int64_t f = options.fan_outs[h];
    if (f < all_neighbours)
      throw error("neighbour_sampler: fan-out " + std::to_string(f) + " of hop " + std::to_string(h + 1) +
                  "; give a number of edges, or all_neighbours");
    if (f == all_neighbours && options.with_replacement)
      throw error("neighbour_sampler: all neighbours of hop " + std::to_string(h + 1) +
                  " with replacement; give a number of edges");
  }
}

}  // namespace

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options)
    : sampler(g), options_(std::move(options)) {
  check(options_);
}

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options, const edge_values<float>& weights)
    : neighbour_sampler(g, std::move(options)) {
  weights_ = detail::checked_weights("neighbour_sampler", of(), weights);
}

void neighbour_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                             std::uint64_t number) const {
  const adjacency in = of().in_edges();
  detail::batch_scratch& scratch = writer.scratch();
  writer.begin(seeds);
  std::uint32_t hop = 0;
  for (const std::int64_t fan_out : options_.fan_outs) {
    const auto pick = [&](std::int64_t local, std::int64_t* to) {
      const std::int32_t v = writer.to().vertices[static_cast<std::size_t>(local)];
      const row r = row_of(in, v, scratch.excluded);
      draws random(number, detail::purpose::neighbours, hop, static_cast<std::uint64_t>(v));
      if (weights_.empty()) return pick_uniform(random, r, fan_out, options_.with_replacement, scratch, to);
      if (options_.with_replacement) return pick_by_weight_again(random, r, fan_out, weights_.data(), scratch, to);
      return pick_by_weight(random, r, fan_out, weights_.data(), scratch, to);
    };
    const std::int64_t most = options_.with_replacement ? fan_out : 0;
    detail::expand_hop(in, most, writer, pick, [&](std::int64_t, std::int64_t rows, std::int64_t count) {
      writer.reach(scratch.neighbours.data(), scratch.positions.data(), count);
      detail::end_rows(writer, rows);
    });
    ++hop;
  }
}

void neighbour_sampler::sample_without(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number,
                                       std::span<const std::int64_t> edges) const {
  write(to, [&](detail::batch_writer& writer) {
    auto& excluded = writer.scratch().excluded;
    excluded.assign(edges.begin(), edges.end());
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    if (!excluded.empty() && (excluded.front() < 0 || excluded.back() >= of().edges()))
      throw error("edge " + std::to_string(excluded.front() < 0 ? excluded.front() : excluded.back()) +
                  " is to be left out; it must be in [0, " + std::to_string(of().edges()) + ")");
    draw(writer, seeds, number);
  });
}

}  // namespace stg
