// Parallel edges merged into one, and edges made to go both ways, with the values of edges.
#pragma once

#include <stg/runtime/graph.hpp>       // graph, edge_values
#include <stg/runtime/self_loops.hpp>  // graph_with_values

#include <cstdint>      // int64_t
#include <type_traits>  // conditional_t, is_integral_v
#include <vector>       // vector

namespace stg {

/// The value of an edge that several were merged into: of all their values, or of the first in the order of the edge
/// list. A mean of integers is rounded towards 0.
enum class merged { sum, mean, max, first };

namespace detail {

/// Which edge of `to`, whose list is in ascending order of both ends, each edge of a list became. `both_ways`: behind
/// the edges of the list their reverses.
std::vector<std::int64_t> merged_into(const graph& from, const graph& to, bool both_ways);

template <TensorElement T>
graph_with_values<T> merged_values(const graph& from, const graph& to, const edge_values<T>& values, merged how,
                                   bool both_ways) {
  using number = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  const tensor<T> given = from.to_input_order(values);
  const std::vector<std::int64_t> into = merged_into(from, to, both_ways);
  const std::int64_t width = from.edges() == 0 ? 0 : given.size() / from.edges();
  const auto count = static_cast<std::size_t>(to.edges());
  std::vector<number> merged_rows(count * static_cast<std::size_t>(width));
  std::vector<std::int64_t> merged_edges(count);
  for (std::size_t e = 0; e < into.size(); ++e) {
    const T* const row = given.data() + static_cast<std::int64_t>(e) % from.edges() * width;
    number* const all = merged_rows.data() + into[e] * width;
    const bool is_first = merged_edges[static_cast<std::size_t>(into[e])]++ == 0;
    for (std::int64_t k = 0; k < width; ++k) {
      const auto value = static_cast<number>(row[k]);
      if (is_first) all[k] = value;
      else if (how == merged::max) all[k] = all[k] < value ? value : all[k];
      else if (how != merged::first) all[k] += value;
    }
  }
  std::int64_t extents[max_rank] = {to.edges()};
  for (int a = 1; a < given.rank(); ++a) extents[a] = given.extent(a);
  auto rows = tensor<T>::for_overwrite(
      dimensions(std::span<const std::int64_t>(extents, static_cast<std::size_t>(given.rank()))));
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const std::int64_t edges = how == merged::mean ? merged_edges[static_cast<std::size_t>(i / width)] : 1;
    rows.data()[i] = static_cast<T>(merged_rows[static_cast<std::size_t>(i)] / static_cast<number>(edges));
  }
  return {to, to.edge_values(rows)};
}

}  // namespace detail

/// The graph with parallel edges merged into one (`graph::coalesce`), whose value is made of theirs. Errors: values of
/// another graph, or on a device.
///
///   auto [once, weights] = stg::coalesce(graph, w);                        // sums, as PyG's coalesce
///   auto [same, latest] = stg::coalesce(graph, time, stg::merged::max);
template <TensorElement T>
graph_with_values<T> coalesce(const graph& g, const edge_values<T>& values, merged how = merged::sum) {
  return detail::merged_values(g, g.coalesce(), values, how, false);
}

/// Both directions of every edge (`graph::to_undirected`): the value of u → v is made of those of all edges between the
/// two. A loop counts twice, as in PyG's to_undirected. Errors as above.
///
///   auto [both, weights] = stg::to_undirected(graph, w, stg::merged::mean);
template <TensorElement T>
graph_with_values<T> to_undirected(const graph& g, const edge_values<T>& values, merged how = merged::sum) {
  return detail::merged_values(g, g.to_undirected(), values, how, true);
}

}  // namespace stg
