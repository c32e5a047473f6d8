// The twin of replace_of_pyg.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/graphs_sampler.hpp>
#include <stg/sampling/neighbour_sampler.hpp>

auto sampler_of(const stg::graphs& graph) { return stg::NAME(graph, {.fan_outs = {5, 3}, .with_replacement = true}); }
