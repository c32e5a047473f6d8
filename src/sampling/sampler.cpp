// The common part of samplers: what they sample, and scratch that is lent for as long as a batch takes.
#include "../runtime/graph/graph_state.hpp"  // graph_access
#include "batch_writer.hpp"                  // batch_writer, sampled_kinds, write
#include "induced.hpp"                       // of_one_kind

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/sampler.hpp>       // sampler

namespace stg {

const graph& detail::of_one_kind(const graph& g) {
  graph_access::check_whole(g, "a sampler");
  if (g.has_kinds() || detail::graph_access::joins_two_sets(g))
    throw error(
        "sampler: the graph is of several kinds of vertices; subgraphs and parts are of one, else take "
        "graphs_sampler, graphs_temporal_sampler, graphs_layer_sampler or graphs_row_blocks");
  return g;
}

sampler::sampler(const graph& g) try
    : graph_(detail::of_one_kind(g).to(host)), kinds_(std::make_unique<detail::sampled_kinds>(graph_)) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
sampler::sampler(sampler&&) noexcept = default;
sampler::~sampler() = default;

void sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  detail::write<detail::graph_writer>(to, *kinds_, [&](detail::batch_writer& writer) { draw(writer, seeds, number); });
}

batch sampler::sample(std::span<const std::int32_t> seeds, std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, number);
  return b;
}

detail::sampler_of_graphs::sampler_of_graphs(const char* by, const graphs& g)
    : kinds_(std::make_unique<sampled_kinds>(by, g)) {}
detail::sampler_of_graphs::sampler_of_graphs(sampler_of_graphs&&) noexcept = default;
detail::sampler_of_graphs::~sampler_of_graphs() = default;
const graphs& detail::sampler_of_graphs::of() const& { return kinds_->all(); }

}  // namespace stg
