// The batches of a loader that is gone before the loop begins.
// shown: stg: the loader is gone with its batches; give it a name first
#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <stg/stg.hpp>

inline std::int64_t seeds(const stg::graph& g) {
  std::int64_t sum = 0;
  for (const auto& b : stg::loader(stg::neighbour_sampler(g, {}), {0, 1}, {}).epoch(0)) sum += b.seeds;  // <- here
  return sum;
}
