// What lanes hand each other of a chunk's edges before they turn to features: an edge's neighbour, and values that are
// one number per edge. A lane loads or computes them for edges of its own and puts them into scratch, where all lanes
// read them: so each is made once, loads of neighbouring edges are one access to memory, and no row waits for the load
// of its number.
#pragma once

#include <cstdint>  // int32_t
#include <utility>  // integer_sequence

#include <stg/codegen/cuda/features.hpp>  // edges_in_flight, evaluate

namespace stg::gpu::detail {

/// Calls body(j) for the lane's edges of a chunk in runs: make(j) of several first, which may load, then put(j, made).
template <class C, class Make, class Put>
STG_KERNEL void for_each_edge(const C& c, int edges, const Make& make, const Put& put) {
  for (int j = c.lanes.rank(); j < edges; j += edges_in_flight * c.lanes.size()) {
    decltype(make(0)) made[edges_in_flight];
    for (int r = 0; r < edges_in_flight; ++r) {
      const int at = j + r * c.lanes.size();
      made[r] = make(at < edges ? at : j);
    }
    for (int r = 0; r < edges_in_flight; ++r)
      if (j + r * c.lanes.size() < edges) put(j + r * c.lanes.size(), made[r]);
  }
}

/// A row whose edges' neighbours lie in scratch.
template <class V, class C> struct neighbours_context : C {
  static constexpr bool knows_neighbours = true;

  STG_KERNEL explicit neighbours_context(const C& c) : C(c) {}
  STG_KERNEL std::int32_t* neighbours() const {
    return reinterpret_cast<std::int32_t*>(this->work + this->call.neighbours);
  }
  STG_KERNEL std::int32_t neighbour(int j) const { return this->lanes.load(neighbours() + j); }
};
/// Puts the neighbours of a chunk's edges into scratch.
template <class V, class C> STG_KERNEL neighbours_context<V, C> hand_over_neighbours(const C& c, int edges) {
  const neighbours_context<V, C> handed(c);
  for_each_edge(
      c, edges, [&](int j) { return c.lanes.load_constant(c.edges.neighbours() + c.first + j); },
      [&](int j, std::int32_t neighbour) { c.lanes.store(handed.neighbours() + j, neighbour); });
  c.lanes.sync();
  return handed;
}

/// The same with values of one number per edge.
template <class V, int Loop, class C> struct handed_context : neighbours_context<V, C> {
  static constexpr bool has_handed = true;

  STG_KERNEL explicit handed_context(const neighbours_context<V, C>& c) : neighbours_context<V, C>(c) {}
  template <int I> static constexpr bool is_handed() { return handed_of<V, Loop>.has(I); }
  template <int I> STG_KERNEL element<V, I>* values() const {
    return reinterpret_cast<element<V, I>*>(this->work + this->call.handed[handed_slot_of<V, I>]);
  }
  template <int I> STG_KERNEL element<V, I> value(int j) const { return this->lanes.load(values<I>() + j); }
};
template <class V, int Loop, int I, class C>
STG_KERNEL void hand_over_value(const handed_context<V, Loop, C>& to, const neighbours_context<V, C>& c, int edges) {
  for_each_edge(
      c, edges, [&](int j) { return evaluate<V, Loop, I, 1>(c, j, 0).at[0]; },
      [&](int j, element<V, I> value) { c.lanes.store(to.template values<I>() + j, value); });
}
template <class V, int Loop, class C, int... K>
STG_KERNEL handed_context<V, Loop, C> hand_over_values(const neighbours_context<V, C>& c, [[maybe_unused]] int edges,
                                                       std::integer_sequence<int, K...>) {
  const handed_context<V, Loop, C> handed(c);
  (hand_over_value<V, Loop, handed_of<V, Loop>.at[K]>(handed, c, edges), ...);
  if constexpr (sizeof...(K) > 0) c.lanes.sync();
  return handed;
}
/// Puts into scratch what aggregates read of a chunk's edges, edge by edge.
template <class V, int Loop, class C>
STG_KERNEL handed_context<V, Loop, C> hand_over_values(const neighbours_context<V, C>& c, int edges) {
  return hand_over_values<V, Loop>(c, edges, std::make_integer_sequence<int, handed_of<V, Loop>.count>());
}

}  // namespace stg::gpu::detail
