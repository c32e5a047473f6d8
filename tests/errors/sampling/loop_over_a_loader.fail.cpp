// A loop over a loader.
// build error: stg: batches are those of an epoch; write for \(const auto& b : loader\.epoch\(0\)\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

std::int64_t last_batch(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 4});
  std::int64_t last = 0;
  for (const auto& b : loader) last = b.index;  // <- here
  return last;
}
