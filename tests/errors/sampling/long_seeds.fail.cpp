// Seeds of 64 bits.
// build error: stg: seeds are vertices, of 32 bits: const std::vector<std::int32_t> seeds = \{0, 7\}
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

stg::batch sampled(const stg::neighbour_sampler& sampler) {
  const std::vector<std::int64_t> seeds = {0, 7};
  return sampler.sample(seeds, 1);  // <- here
}
