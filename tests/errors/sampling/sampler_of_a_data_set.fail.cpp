// A sampler of a data set.
// build error: stg: a sampler takes a graph: neighbour_sampler\(data\.graph, \{\.fan_outs = \{5, 3\}\}\)
#include <stg/stg.hpp>

#include <stg/data/karate.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto sampler() {
  const auto data = stg::karate_club();
  return stg::neighbour_sampler(data, {.fan_outs = {5}});  // <- here
}
