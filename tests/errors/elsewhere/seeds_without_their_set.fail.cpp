// Seeds without their vertex set.
// build error: stg: seeds are of a vertex set: graphs_loader\(graphs_sampler\(\.\.\.\), paper, seeds, options\)
#include <stg/stg.hpp>

#include <stg/sampling/graphs_loader.hpp>
#include <stg/sampling/graphs_sampler.hpp>

constexpr auto paper = stg::vertex_set<"paper">;

auto batches_of(const stg::graphs& graph) {
  return stg::graphs_loader(stg::graphs_sampler(graph, {.fan_outs = {5}}), {0, 1}, {.batch_size = 2});  // <- here
}
