// The twin of neighbour_by_another_spelling.fail.cpp.
#include <stg/stg.hpp>

#include <stg/sampling/neighbour_sampler.hpp>

auto sampler_of(const stg::graph& graph) { return stg::neighbour_sampler(graph, {.fan_outs = {5, 3}}); }
