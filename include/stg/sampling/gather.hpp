// Rows of features for the vertices and edges of a batch.
#pragma once

#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor
#include <stg/sampling/batch.hpp>         // batch, edge_values, tensor

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t
#include <span>     // span
#include <utility>  // move

namespace stg {

namespace detail {
/// The shape of `count` rows of a tensor. Errors: rank 0, and a tensor on a device.
dimensions shape_of_gathered(const dimensions& from, location lies, std::int64_t count);
/// Copies rows of so many bytes, of `from_rows`, one after another. Error, with its position, for a row that is none.
void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int32_t> rows, std::byte* to);
void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int64_t> rows, std::byte* to);
}  // namespace detail

/// Row rows[i] of a tensor as row i, (rows, ...). `from` may be mapped from a file (`map_npy`). Errors: an id of a row
/// that `from` does not have, rank 0, and a tensor on a device.
///
///   auto X = stg::gather(data.features, b.vertices);        // (vertices of the batch, features)
template <TensorElement T> tensor<T> gather(const const_tensor<T>& from, std::span<const std::int32_t> rows) {
  auto to = tensor<T>::for_overwrite(
      detail::shape_of_gathered(from.shape(), from.place(), static_cast<std::int64_t>(rows.size())));
  const std::int64_t many = from.shape()[0];
  detail::gather_rows(reinterpret_cast<const std::byte*>(from.data()), many, many == 0 ? 0 : from.bytes() / many, rows,
                      reinterpret_cast<std::byte*>(to.data()));
  return to;
}

/// The same of sparse features.
template <class T> sparse_tensor<T> gather(const sparse_tensor<T>& from, std::span<const std::int32_t> rows) {
  return from.rows(rows);
}

/// The values of a batch's edges, of those of all edges of the large graph, which graph that is being for the caller to
/// know. Errors as above.
///
///   auto w = stg::gather(weights, b);                       // of b.graph
template <TensorElement T> edge_values<T> gather(const edge_values<T>& from, const batch& b) {
  const tensor<T>& all = from.values();
  auto to = tensor<T>::for_overwrite(
      detail::shape_of_gathered(all.shape(), all.place(), static_cast<std::int64_t>(b.edges.size())));
  const std::int64_t many = all.shape()[0];
  detail::gather_rows(reinterpret_cast<const std::byte*>(all.data()), many, many == 0 ? 0 : all.bytes() / many,
                      std::span<const std::int64_t>(b.edges), reinterpret_cast<std::byte*>(to.data()));
  return edge_values<T>::in_id_order(std::move(to), b.graph.edge_identity());
}

}  // namespace stg
