#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

std::int64_t rows_of(const stg::graph& graph, const std::vector<std::int32_t>& seeds,
                     const stg::tensor<float>& features) {
  stg::loader loader(stg::neighbour_sampler(graph, {.fan_outs = {5}}), seeds, {.batch_size = 4});
  [[maybe_unused]] const auto X = loader.rows(features);
  std::int64_t rows = 0;
  for (const stg::loaded_batch& b : loader.epoch(0)) rows += b[X].shape()[0];
  return rows;
}
