// The twin of long_seeds.fail.cpp.
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

stg::batch sampled(const stg::neighbour_sampler& sampler) {
  const std::vector<std::int32_t> seeds = {0, 7};
  return sampler.sample(seeds, 1);
}
