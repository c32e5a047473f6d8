// Making a graph of sampled rows without sorting: rows come in order, columns are counted.
#include "sampled_rows.hpp"  // sampled_rows

#include <algorithm>  // copy, fill
#include <atomic>     // atomic_thread_fence

namespace stg::detail {

graph::state& state_for(std::shared_ptr<graph::state>& memory, long holders) {
  if (memory && memory.use_count() == holders) {
    std::atomic_thread_fence(std::memory_order_acquire);  // its last reader is done
    memory->identity.store(0, std::memory_order_relaxed);
  } else {
    memory = std::make_shared<graph::state>();
  }
  return *memory;
}

sampled_rows::sampled_rows(graph::state& state, std::vector<std::int64_t>& ids) : state_(&state), all_ids_(&ids) {
  ids.clear();
  state.in_offsets.assign(1, 0);
  state.in_neighbours.clear();
}

/// Rows of a source hold destinations in the order of edge ids, which ascend with the destination.
void sampled_rows::write_out_edges() {
  graph::state& s = *state_;
  const std::int64_t edges = s.edges;
  std::int64_t* const next = s.out_offsets.data();
  std::int32_t *const neighbours = s.out_neighbours.data(), *const degrees = s.out_degrees.data();
  std::int64_t* const ids = s.out_ids.data();
  const std::int32_t* const sources = s.in_neighbours.data();
  std::fill(degrees, degrees + s.sources, 0);
  for (std::int64_t e = 0; e < edges; ++e) ++degrees[sources[e]];
  std::int64_t sum = 0;
  for (std::int64_t v = 0; v < s.sources; ++v) {
    next[v] = sum;
    sum += degrees[v];
  }
  for (std::int64_t v = 0; v < s.destinations; ++v)
    for (std::int64_t e = s.in_offsets[at(v)]; e < s.in_offsets[at(v + 1)]; ++e) {
      const std::int64_t place = next[sources[e]]++;
      neighbours[place] = static_cast<std::int32_t>(v);
      ids[place] = e;
    }
  for (std::int64_t v = s.sources; v > 0; --v) next[v] = next[v - 1];  // each begins where the one before it ended
  next[0] = 0;
}

/// Where all vertices were looked into, their degrees are those of the sample, and nothing is written.
void sampled_rows::write_known_degrees(const std::vector<std::int32_t>& destinations, const degrees_elsewhere& known) {
  graph::state& s = *state_;
  s.known_degrees.clear();
  if (known.first == s.destinations) return;
  grow(s.known_degrees, s.destinations + 1);
  std::copy(s.in_offsets.begin(), s.in_offsets.begin() + known.first + 1, s.known_degrees.begin());
  for (std::int64_t v = known.first; v < s.destinations; ++v)
    s.known_degrees[at(v + 1)] =
        s.known_degrees[at(v)] +
        (known.of_sample.empty() ? known.of_large[at(destinations[at(v)])] : known.of_sample[at(v)]);
}

void sampled_rows::finish(const std::vector<std::int32_t>& sources, const std::vector<std::int32_t>& destinations,
                          const degrees_elsewhere& known) {
  graph::state& s = *state_;
  s.sources = static_cast<std::int64_t>(sources.size());
  s.destinations = static_cast<std::int64_t>(destinations.size());
  s.edges = edges_;
  s.joins_two_sets = &sources != &destinations;
  s.in_neighbours.resize(at(edges_)), all_ids_->resize(at(edges_));
  const std::int64_t rows = static_cast<std::int64_t>(s.in_offsets.size()) - 1;
  grow(s.in_offsets, s.destinations + 1);
  std::fill(s.in_offsets.begin() + rows + 1, s.in_offsets.end(), edges_);
  grow(s.out_offsets, s.sources + 1);
  grow(s.in_degrees, s.destinations), grow(s.out_degrees, s.sources);
  grow(s.out_neighbours, edges_), grow(s.out_ids, edges_);
  for (std::int64_t v = 0; v < s.destinations; ++v)
    s.in_degrees[at(v)] = static_cast<std::int32_t>(s.in_offsets[at(v + 1)] - s.in_offsets[at(v)]);
  write_out_edges();
  const auto copy = [](const auto& from, auto& to) {
    grow(to, static_cast<std::int64_t>(from.size()));
    std::copy(from.begin(), from.end(), to.begin());
  };
  copy(destinations, s.larger_vertices), copy(*all_ids_, s.larger_edges);
  if (s.joins_two_sets) copy(sources, s.larger_sources);
  write_known_degrees(destinations, known);
  s.finish();
}

}  // namespace stg::detail
