// Loops added to a graph and taken from it, and the values of its edges with them.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/runtime/graph.hpp>  // graph, edge_values

namespace stg {

/// A graph and values of its edges: `auto [with_loops, weights] = …`.
template <TensorElement T> struct graph_with_values {
  stg::graph graph;
  stg::edge_values<T> values;
};

namespace detail {
/// Values of `from`, in the order of its edge list, as those of `to`: edge i of its list takes row source[i], or the
/// fill where there is none (-1), as behind the end of the list.
template <TensorElement T>
graph_with_values<T> values_follow(const graph& from, const graph& to, const edge_values<T>& values,
                                   const std::vector<std::int64_t>& source, T fill) {
  const tensor<T> given = from.to_input_order(values);
  std::int64_t extents[max_rank] = {to.edges()};
  for (int a = 1; a < given.rank(); ++a) extents[a] = given.extent(a);
  tensor<T> rows(dimensions(std::span<const std::int64_t>(extents, static_cast<std::size_t>(given.rank()))));
  const std::int64_t width = to.edges() == 0 ? 0 : rows.size() / to.edges();
  for (std::int64_t e = 0; e < to.edges(); ++e) {
    T* const row = rows.data() + e * width;
    const auto at = static_cast<std::size_t>(e);
    const T* const from_row = at < source.size() ? given.data() + source[at] * width : nullptr;
    for (std::int64_t k = 0; k < width; ++k) row[k] = from_row ? from_row[k] : fill;
  }
  return {to, to.edge_values(rows)};
}
std::vector<std::int64_t> all_edges(const graph&);        // 0, 1, …
std::vector<std::int64_t> edges_but_loops(const graph&);  // places in the edge list
}  // namespace detail

/// The graph with one loop more for each vertex (`graph::add_self_loops`), or for each that had none
/// (`graph::add_remaining_self_loops`); added loops have the value `fill`, edges that were there keep theirs. Errors:
/// values of another graph, or on a device.
///
///   auto [with_loops, weights] = stg::add_remaining_self_loops(graph, w, 1.0f);
template <TensorElement T> graph_with_values<T> add_self_loops(const graph& g, const edge_values<T>& values, T fill) {
  return detail::values_follow(g, g.add_self_loops(), values, detail::all_edges(g), fill);
}
template <TensorElement T>
graph_with_values<T> add_remaining_self_loops(const graph& g, const edge_values<T>& values, T fill) {
  return detail::values_follow(g, g.add_remaining_self_loops(), values, detail::all_edges(g), fill);
}
/// The graph without loops (`graph::remove_self_loops`); its edges keep their values. Errors as above.
///
///   auto [without, weights] = stg::remove_self_loops(graph, w);
template <TensorElement T> graph_with_values<T> remove_self_loops(const graph& g, const edge_values<T>& values) {
  return detail::values_follow(g, g.remove_self_loops(), values, detail::edges_but_loops(g), T());
}

}  // namespace stg
