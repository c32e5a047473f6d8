// A loop over copies of batches.
// build error: stg: a batch is not copied, it lives until the next; write for \(const auto& b : \.\.\.\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

std::int64_t last_batch(const stg::graph& graph, const std::vector<std::int32_t>& seeds) {
  stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 4});
  std::int64_t last = 0;
  for (auto b : loader.epoch(0)) last = b.index;  // <- here
  return last;
}
