// A mask where seeds belong.
// build error: stg: seeds are ids of vertices, and this is a mask; list those where it is true
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

auto sampled(const stg::neighbour_sampler& sampler) {
  return sampler.sample(stg::mask_of({0, 7}, 9), 1);  // <- here
}
