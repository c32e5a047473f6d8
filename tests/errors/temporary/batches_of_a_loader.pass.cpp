// The twin of batches_of_a_loader.fail.cpp.
#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

inline std::int64_t seeds(const stg::graph& g) {
  std::int64_t sum = 0;
  stg::loader batches(stg::neighbour_sampler(g, {}), {0, 1}, {});
  for (const auto& b : batches.epoch(0)) sum += b.seeds;
  return sum;
}
