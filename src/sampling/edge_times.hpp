// In-edges of each vertex in the order of time: those before a moment are a part from the beginning of a row.
#pragma once

#include "expand.hpp"  // choose, draws

#include <stg/runtime/graph.hpp>               // graph, edge_values
#include <stg/sampling/neighbour_sampler.hpp>  // all_neighbours

#include <algorithm>  // copy, fill, lower_bound, min
#include <cstddef>    // size_t
#include <cstdint>    // int32_t, int64_t
#include <span>       // span
#include <string>     // string
#include <vector>     // vector

namespace stg::detail {

/// Of a graph, by times that `checked_times` looked at.
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

/// Errors that begin with `what`: values of another graph, not one number per edge, and a time that is NaN, with the
/// edge, counted in input order.
edge_times checked_times(const std::string& what, const graph& of, const edge_values<double>& times);
/// Errors of times of seeds: not one for each, and NaN.
void check_times_of_seeds(const char* what, std::size_t seeds, std::span<const double> times);

}  // namespace stg::detail
