#include <stg/stg.hpp>

#include <stg/data/karate.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto sampler() {
  const auto data = stg::karate_club();
  return stg::neighbour_sampler(data.graph, {.fan_outs = {5}});
}
