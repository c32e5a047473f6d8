// Which in-edges are taken of one vertex: uniformly or by weight, with or without replacement.
#pragma once

#include "expand.hpp"  // choose, draws

#include <stg/sampling/graphs_sampler.hpp>     // relation_fan_outs
#include <stg/sampling/neighbour_sampler.hpp>  // all_neighbours

#include <algorithm>  // lower_bound, min, nth_element, sort, upper_bound
#include <cmath>      // log, nextafter
#include <span>       // span
#include <string>     // string
#include <vector>     // vector

namespace stg::detail {

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

inline row row_of(const adjacency& in, std::int32_t v, std::span<const std::int64_t> excluded) {
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
inline std::int64_t* pick_uniform(draws& random, const row& r, std::int64_t fan_out, bool with_replacement,
                                  batch_scratch& scratch, std::int64_t* to) {
  std::int64_t* const begin = to;
  if (r.count == 0) return to;
  if (with_replacement) {
    for (std::int64_t i = 0; i < fan_out; ++i) *to++ = r.first + random.below(static_cast<std::uint32_t>(r.count));
  } else {
    to = choose(random, r.count, fan_out == all_neighbours ? r.count : fan_out, scratch, r.first, to);
  }
  if (r.excluded.empty()) return to;
  for (std::int64_t* i = begin; i != to; ++i) *i = r.position(*i - r.first);
  return to;
}

/// Each draw in proportion to the weights: the first sum above a uniform share of their total.
inline std::int64_t* pick_by_weight_again(draws& random, const row& r, std::int64_t fan_out, const float* weights,
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
inline std::int64_t* pick_by_weight(draws& random, const row& r, std::int64_t fan_out, const float* weights,
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

/// The positions of the edges that are taken of a row; weights: of all edges, or null where each is as likely.
inline std::int64_t* pick(draws& random, const row& r, std::int64_t fan_out, bool with_replacement,
                          const float* weights, batch_scratch& scratch, std::int64_t* to) {
  if (weights == nullptr) return pick_uniform(random, r, fan_out, with_replacement, scratch, to);
  if (with_replacement) return pick_by_weight_again(random, r, fan_out, weights, scratch, to);
  return pick_by_weight(random, r, fan_out, weights, scratch, to);
}

/// Fan-outs of a plain graph, checked. Errors, which `by` begins.
numbers_by_hop fan_outs_of(const std::string& by, std::vector<std::int64_t> fan_outs, bool with_replacement);
/// The same by relation. Errors are those of `graphs_sampler`.
numbers_by_hop fan_outs_of(const std::string& by, const sampled_kinds& kinds, std::span<const std::int64_t> general,
                           std::span<const relation_fan_outs> given, bool with_replacement);

}  // namespace stg::detail
