// A loader is asked for rows of a symbol.
// build error: stg: a loader gives rows of a tensor: const auto X = loader\.rows\(data\.features\)
#include <stg/stg.hpp>

#include <stg/sampling/loader.hpp>
#include <stg/sampling/neighbour_sampler.hpp>
#include <vector>

constexpr auto x = stg::vertex_feature<"x", 16>;

auto rows_of(stg::loader& loader, [[maybe_unused]] const stg::tensor<float>& X) {
  return loader.rows(x).at.source;  // <- here
}
