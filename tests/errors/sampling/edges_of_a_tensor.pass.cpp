#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

auto rows_of(stg::loader& loader, const stg::tensor<float>& w) {
  return loader.edges(loader.of().edge_values(w)).at.source;
}
