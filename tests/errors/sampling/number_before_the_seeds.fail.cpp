// The number of a batch before its seeds.
// build error: stg: sample takes a number behind the seeds, and gives another batch for another: sampler\.sample\(seeds, 7\)
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto sampled(const stg::neighbour_sampler& sampler, const std::vector<std::int32_t>& seeds) {
  return sampler.sample(7, seeds);  // <- here
}
