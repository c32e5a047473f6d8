// Sampling with scratch that is lent for as long as a batch takes.
#include "batch_writer.hpp"  // batch_writer, scratch_pool

#include <stg/sampling/sampler.hpp>  // sampler

#include <algorithm>  // fill
#include <utility>    // move

namespace stg {

namespace {

/// Scratch of the pool, given back at the end.
class lent_scratch {
 public:
  explicit lent_scratch(detail::scratch_pool& pool) : pool_(pool) {
    {
      const std::lock_guard lock(pool.lock);
      if (!pool.free.empty()) {
        scratch_ = std::move(pool.free.back());
        pool.free.pop_back();
      }
    }
    if (!scratch_) scratch_ = std::make_unique<detail::batch_scratch>();
  }
  ~lent_scratch() {
    const std::lock_guard lock(pool_.lock);
    try {
      pool_.free.push_back(std::move(scratch_));
    } catch (...) {  // no memory to keep it in: the next call makes another
    }
  }
  lent_scratch(const lent_scratch&) = delete;
  lent_scratch& operator=(const lent_scratch&) = delete;
  detail::batch_scratch& operator*() { return *scratch_; }

 private:
  detail::scratch_pool& pool_;
  std::unique_ptr<detail::batch_scratch> scratch_{};
};

}  // namespace

sampler::sampler(const graph& g) : graph_(g.to(host)), pool_(std::make_unique<detail::scratch_pool>()) {}
sampler::sampler(sampler&&) noexcept = default;
sampler::~sampler() = default;

void sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number) const {
  write(to, [&](detail::batch_writer& writer) { draw(writer, seeds, number); });
}

void sampler::write(batch& to, void (*body)(detail::batch_writer&, void*), void* context) const {
  lent_scratch scratch(*pool_);
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
  if (seeds == graph.vertices()) return stg::blocks(graph);
  return {graph, vertex_offsets, vertices, large.in_degrees(), memory_of_blocks};
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
