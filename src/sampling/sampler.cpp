// Sampling with scratch that is lent for as long as a batch takes.
#include "batch_writer.hpp"  // batch_writer, scratch_pool

#include <stg/base/error.hpp>        // error
#include <stg/sampling/sampler.hpp>  // sampler

#include <algorithm>  // fill

namespace stg {

const graph& detail::of_one_kind(const graph& g) {
  if (g.has_kinds() || detail::graph_access::joins_two_sets(g))
    throw error(
        "sampler: the graph is of several kinds of vertices; subgraphs and parts are of one, else take "
        "graphs_sampler, graphs_temporal_sampler, graphs_layer_sampler or graphs_row_blocks");
  return g;
}

sampler::sampler(const graph& g)
    : graph_(detail::of_one_kind(g).to(host)), pool_(std::make_unique<detail::scratch_pool>()) {}
sampler::sampler(sampler&&) noexcept = default;
sampler::~sampler() = default;

void sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  write(to, [&](detail::batch_writer& writer) { draw(writer, seeds, number); });
}

void sampler::write(batch& to, void (*body)(detail::batch_writer&, void*), void* context) const {
  detail::lent<detail::batch_scratch> scratch(*pool_);
  try {
    detail::batch_writer writer(to, *scratch, graph_);
    body(writer, context);
    writer.finish();
  } catch (...) {
    to = {};
    throw;
  }
}

batch sampler::sample(std::span<const std::int32_t> seeds, std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, number);
  return b;
}

blocks batch::blocks() const {
  const bool has_no_hop = edge_offsets.size() == 1;  // so that no vertex was looked into
  if (seeds == graph.vertices() && !has_no_hop) return stg::blocks(graph);
  return {graph, vertex_offsets, vertices, large.in_degrees(), memory_of_blocks, earlier_degrees};
}

tensor<bool> batch::seed_mask() const {
  tensor<bool> mask;
  seed_mask(mask);
  return mask;
}

void batch::seed_mask(tensor<bool>& into) const {
  const auto count = static_cast<std::int64_t>(vertices.size());
  if (into.shape() != dimensions{count}) into = tensor<bool>({count});
  std::fill(into.begin(), into.begin() + seeds, true);
  std::fill(into.begin() + seeds, into.end(), false);
}

edge_values<float> batch::weights() const {
  return graph.edge_values(
      const_tensor<float>::view_of(edge_weights.data(), {static_cast<std::int64_t>(edge_weights.size())}));
}

}  // namespace stg
