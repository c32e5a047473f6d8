// Sorting the edges of each row by time, once, when a sampler is made.
#include "edge_times.hpp"  // edge_times

#include <stg/base/error.hpp>  // error

#include <cmath>    // isnan
#include <numeric>  // iota
#include <string>   // to_string

namespace stg::detail {

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

void check_times_of_seeds(const char* what, std::size_t seeds, std::span<const double> times) {
  if (times.size() != seeds)
    throw error(std::string(what) + ": " + std::to_string(times.size()) + " times for " + std::to_string(seeds) +
                " seeds; give one for each");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isnan(times[i])) throw error(std::string(what) + ": the time of seed " + std::to_string(i) + " is NaN");
}

}  // namespace stg::detail
