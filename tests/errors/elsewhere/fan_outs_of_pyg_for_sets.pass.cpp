// The twin of fan_outs_of_pyg_for_sets.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/graphs_sampler.hpp>

auto sampler_of(const stg::graphs& graph) { return stg::graphs_sampler(graph, {.fan_outs = {5, 3}}); }
