// Seeds of 64 bits.
// names: seeds
#include <stg/data/karate.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>
int main() {
  const auto data = stg::karate_club();
  const stg::neighbour_sampler sampler(data.graph, {.fan_outs = {5, 3}});
  std::vector<std::int64_t> seeds = {0, 33};
  const auto b = sampler.sample(seeds, 1);  // <- here
}
