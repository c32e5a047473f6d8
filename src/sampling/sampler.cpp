// Sampling with scratch that is lent for as long as a batch takes.
#include "batch_writer.hpp"  // batch_writer, scratch_pool

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/sampler.hpp>       // sampler

#include <algorithm>  // fill, fill_n
#include <string>     // to_string

namespace stg {

const graph& detail::of_one_kind(const graph& g) {
  if (g.has_kinds() || detail::graph_access::joins_two_sets(g))
    throw error(
        "sampler: the graph is of several kinds of vertices; subgraphs and parts are of one, else take "
        "graphs_sampler, graphs_temporal_sampler, graphs_layer_sampler or graphs_row_blocks");
  return g;
}

sampler::sampler(const graph& g) try
    : graph_(detail::of_one_kind(g).to(host)), pool_(std::make_unique<detail::scratch_pool>()) {
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
sampler::sampler(sampler&&) noexcept = default;
sampler::~sampler() = default;

void sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  write(to, [&](detail::batch_writer& writer) { draw(writer, seeds, number); });
}

void sampler::write(batch& to, void (*body)(detail::batch_writer&, void*), void* context) const try {
  detail::lent<detail::batch_scratch> scratch(*pool_);
  try {
    detail::batch_writer writer(to, *scratch, graph_);
    body(writer, context);
    writer.finish();
  } catch (...) {
    to = {};
    throw;
  }
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

batch sampler::sample(std::span<const std::int32_t> seeds, std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, number);
  return b;
}

blocks batch::blocks() const try {
  const bool has_no_hop = edge_offsets.size() == 1;  // so that no vertex was looked into
  if (seeds == graph.vertices() && !has_no_hop) return stg::blocks(graph);
  return {graph, vertex_offsets, vertices, large.in_degrees(), memory_of_blocks, earlier_degrees};
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

tensor<bool> batch::seed_mask() const {
  tensor<bool> mask;
  seed_mask(mask);
  return mask;
}

std::int64_t detail::checked_first(std::int64_t first, const char* what, std::int64_t count) {
  if (first < 0 || first > count)
    throw error("batch: " + std::to_string(first) + ' ' + what + " of " + std::to_string(count) + "; give 0 to " +
                std::to_string(count));
  return first;
}

void detail::write_seed_mask(std::int64_t seeds, std::int64_t vertices, tensor<bool>& into) {
  checked_first(seeds, "seeds", vertices);
  if (into.shape() != dimensions{vertices}) into = tensor<bool>({vertices});
  std::fill(into.begin(), into.begin() + seeds, true);
  std::fill(into.begin() + seeds, into.end(), false);
}

tensor<float> detail::targets_of_pairs(std::int64_t true_pairs, std::size_t pairs) {
  tensor<float> targets({static_cast<std::int64_t>(pairs)});
  std::fill_n(targets.begin(), checked_first(true_pairs, "true pairs", targets.size()), 1.0f);
  return targets;
}

void batch::seed_mask(tensor<bool>& into) const {
  detail::write_seed_mask(seeds, static_cast<std::int64_t>(vertices.size()), into);
}

edge_values<float> batch::weights() const {
  return graph.edge_values(
      const_tensor<float>::view_of(edge_weights.data(), {static_cast<std::int64_t>(edge_weights.size())}));
}

}  // namespace stg
