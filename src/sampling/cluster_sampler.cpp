// Vertices by part, and the subgraph of some parts.
#include "induced.hpp"  // write_induced

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/sampling/clusters.hpp>      // cluster_sampler

#include <algorithm>  // max
#include <string>     // to_string

namespace stg {

namespace {

using detail::at;

}  // namespace

cluster_sampler::cluster_sampler(const graph& g, const const_tensor<std::int32_t>& parts) try : sampler(g) {
  detail::require_host(parts.shape(), parts.place());
  if (parts.shape() != dimensions{of().vertices()})
    throw error("cluster_sampler: parts of shape " + to_string(parts.shape()) + " for a graph of " +
                std::to_string(of().vertices()) + " vertices; give one for each");
  std::int32_t last = -1;
  for (std::int64_t v = 0; v < parts.size(); ++v) {
    if (parts(v) < 0 || parts(v) >= of().vertices())
      throw error("cluster_sampler: vertex " + std::to_string(v) + " is of part " + std::to_string(parts(v)) +
                  "; it must be in [0, " + std::to_string(of().vertices()) + "), as there are no more than vertices");
    last = std::max(last, parts(v));
  }
  offsets_.assign(at(last + 2), 0);
  for (const std::int32_t p : parts) ++offsets_[at(p + 1)];
  for (std::size_t p = 1; p < offsets_.size(); ++p) offsets_[p] += offsets_[p - 1];
  std::vector<std::int64_t> next(offsets_.begin(), offsets_.end() - 1);
  members_.resize(at(parts.size()));
  for (std::int64_t v = 0; v < parts.size(); ++v) members_[at(next[at(parts(v))]++)] = static_cast<std::int32_t>(v);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void cluster_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds, std::uint64_t) const {
  writer.begin(std::span<const std::int32_t>());
  detail::vertex_numbers& numbers = writer.set().numbers;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const std::int32_t part = seeds[i];
    if (part < 0 || part >= parts())
      throw error("cluster_sampler: seed " + std::to_string(i) + " is part " + std::to_string(part) +
                  "; it must be in [0, " + std::to_string(parts()) + ")");
    const std::int64_t first = offsets_[at(part)], last = offsets_[at(part + 1)];
    if (first < last && numbers.find(members_[at(first)]) >= 0)
      throw error("cluster_sampler: part " + std::to_string(part) + " is given twice; give each part once");
    for (std::int64_t k = first; k < last; ++k) numbers.local_of(members_[at(k)]);
  }
  detail::write_induced(writer);
}

}  // namespace stg
