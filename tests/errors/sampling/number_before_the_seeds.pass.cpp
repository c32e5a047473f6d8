#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto sampled(const stg::neighbour_sampler& sampler, const std::vector<std::int32_t>& seeds) {
  return sampler.sample(seeds, 7);
}
