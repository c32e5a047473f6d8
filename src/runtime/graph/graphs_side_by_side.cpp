// Graphs that are made of whole ranges of edges, without sorting: side by side, and from what is in a part to the part.
#include "graph_state.hpp"  // graph_access, state

#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/parallel.hpp>       // parallel_if_worth

#include <algorithm>  // copy, fill
#include <cstddef>    // size_t
#include <memory>     // make_shared
#include <numeric>    // iota

namespace stg::detail {

namespace {

struct place {
  std::int64_t sources = 0, destinations = 0, edges = 0;
};

/// Writes an array behind those of the graphs before, with what their numbers begin at added to each.
template <class T>
void write_shifted(const std::vector<T>& from, std::int64_t count, std::int64_t by, std::vector<T>& to,
                   std::int64_t at) {
  const T* const source = from.data();
  T* const target = to.data() + at;
  const T add = static_cast<T>(by);
  for (std::int64_t i = 0; i < count; ++i) target[i] = source[i] + add;
}

void write_part(const graph::state& from, const place& before, graph::state& to) {
  write_shifted(from.in_offsets, from.destinations, before.edges, to.in_offsets, before.destinations);
  write_shifted(from.out_offsets, from.sources, before.edges, to.out_offsets, before.sources);
  write_shifted(from.in_neighbours, from.edges, before.sources, to.in_neighbours, before.edges);
  write_shifted(from.out_neighbours, from.edges, before.destinations, to.out_neighbours, before.edges);
  write_shifted(from.out_ids, from.edges, before.edges, to.out_ids, before.edges);
  write_shifted(from.in_degrees, from.destinations, 0, to.in_degrees, before.destinations);
  write_shifted(from.out_degrees, from.sources, 0, to.out_degrees, before.sources);
  if (from.input_position.empty())
    std::iota(to.input_position.data() + before.edges, to.input_position.data() + before.edges + from.edges,
              before.edges);
  else write_shifted(from.input_position, from.edges, before.edges, to.input_position, before.edges);
}

}  // namespace

graph graph_access::side_by_side(std::span<const graph> parts) try {
  for (const graph& g : parts) check_whole(g, "a batch");
  std::vector<place> places(parts.size() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const place& p = places[i];
    places[i + 1] = {p.sources + parts[i].sources(), p.destinations + parts[i].destinations(),
                     p.edges + parts[i].edges()};
  }
  const place& all = places.back();
  auto s = std::make_shared<graph::state>();
  s->resize_between(all.sources, all.destinations, all.edges);
  s->input_position.resize(static_cast<std::size_t>(all.edges));
  s->in_offsets.back() = s->out_offsets.back() = all.edges;
  s->joins_two_sets = !parts.empty() && joins_two_sets(parts[0]);
  constexpr std::int64_t nanoseconds_of_edge = 3;
  parallel_if_worth(nanoseconds_of_edge * (all.edges + all.sources), static_cast<std::int64_t>(parts.size()),
                    [&](std::int64_t part) {
                      const auto i = static_cast<std::size_t>(part);
                      write_part(parts[i].state_->host(), places[i], *s);
                    });
  s->finish();
  return of(std::move(s));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

graph graph_access::to_containers(std::span<const std::int64_t> offsets) try {
  const std::int64_t containers = static_cast<std::int64_t>(offsets.size()) - 1, all = offsets.back();
  auto s = std::make_shared<graph::state>();
  s->resize_between(all, containers, all);
  s->joins_two_sets = true;
  std::copy(offsets.begin(), offsets.end(), s->in_offsets.begin());
  std::iota(s->out_offsets.begin(), s->out_offsets.end(), std::int64_t{0});
  std::iota(s->in_neighbours.begin(), s->in_neighbours.end(), std::int32_t{0});
  std::iota(s->out_ids.begin(), s->out_ids.end(), std::int64_t{0});
  std::fill(s->out_degrees.begin(), s->out_degrees.end(), 1);
  for (std::int64_t i = 0; i < containers; ++i) {
    const auto first = offsets[static_cast<std::size_t>(i)], last = offsets[static_cast<std::size_t>(i + 1)];
    s->in_degrees[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(last - first);
    std::fill(s->out_neighbours.begin() + first, s->out_neighbours.begin() + last, static_cast<std::int32_t>(i));
  }
  s->finish();
  return of(std::move(s));
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg::detail
