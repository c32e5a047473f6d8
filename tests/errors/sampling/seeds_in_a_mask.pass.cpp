#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

auto sampled(const stg::neighbour_sampler& sampler) { return sampler.sample({0, 7}, 1); }
