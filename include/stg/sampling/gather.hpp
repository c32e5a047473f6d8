// Rows of features for the vertices and edges of a batch, and for graphs side by side.
#pragma once

#include <stg/runtime/out_of_memory.hpp>  // no_memory
#include <stg/runtime/sparse_tensor.hpp>  // sparse_tensor
#include <stg/sampling/batch.hpp>         // batch, edge_values, tensor

#include <algorithm>  // copy_n
#include <concepts>   // derived_from
#include <cstddef>    // byte
#include <cstdint>    // int32_t, int64_t
#include <iterator>   // begin
#include <span>       // span
#include <utility>    // move
#include <vector>     // vector

namespace stg {

namespace detail {
/// The shape of `count` rows of a tensor. Errors: rank 0, and a tensor on a device.
dimensions shape_of_gathered(const dimensions& from, location lies, std::int64_t count);
/// Copies rows of so many bytes, of `from_rows`, one after the other. Error, with its position, for a missing row.
void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int32_t> rows, std::byte* to);
void gather_rows(const std::byte* from, std::int64_t from_rows, std::int64_t row_bytes,
                 std::span<const std::int64_t> rows, std::byte* to);
/// The same of a tensor's rows.
template <TensorElement T, class Id> void gather_rows(const const_tensor<T>& from, std::span<const Id> rows, T* to) {
  const std::int64_t many = from.shape()[0];
  gather_rows(reinterpret_cast<const std::byte*>(from.data()), many, many == 0 ? 0 : from.bytes() / many, rows,
              reinterpret_cast<std::byte*>(to));
}
/// Rows of a tensor in a tensor of their own.
template <TensorElement T, class Id> tensor<T> gathered(const const_tensor<T>& from, std::span<const Id> rows) {
  auto to =
      tensor<T>::for_overwrite(shape_of_gathered(from.shape(), from.place(), static_cast<std::int64_t>(rows.size())));
  gather_rows(from, rows, to.data());
  return to;
}
/// Values of some edges of a large graph, which are all of a sample's, by id.
template <TensorElement T>
edge_values<T> gather_edges(const edge_values<T>& from, std::span<const std::int64_t> edges, const graph& sample) {
  return edge_values<T>::in_id_order(gathered<T>(from.values(), edges), sample.edge_identity());
}
/// The shape of rows one below the other. Errors: no tensors, the errors of `shape_of_gathered`, and rows that are not
/// alike, with the tensor's number.
dimensions shape_of_concatenated(std::span<const dimensions> parts, std::span<const location> lie);
}  // namespace detail

/// Row rows[i] of a tensor as row i, (rows, ...). `from` may be mapped from a file (`map_npy`). Errors: an id of a row
/// that `from` does not have, rank 0, and a tensor on a device.
///
///   auto X = stg::gather(data.features, b.vertices);        // (vertices of the batch, features)
template <TensorElement T> tensor<T> gather(const const_tensor<T>& from, std::span<const std::int32_t> rows) {
  return detail::gathered<T>(from, rows);
}

/// The same of sparse features.
template <class T> sparse_tensor<T> gather(const sparse_tensor<T>& from, std::span<const std::int32_t> rows) {
  return from.rows(rows);
}

/// The values of a batch's edges, from the values of all edges of the large graph; the caller knows the large graph.
/// Errors as above.
///
///   auto w = stg::gather(weights, b);                       // of b.graph
template <TensorElement T> edge_values<T> gather(const edge_values<T>& from, const batch& b) {
  return detail::gather_edges(from, b.edges, b.graph);
}

// What to write where the arguments are others.
#define STG_GATHERS_A_BATCH "stg: gather takes the rows of a batch: gather(data.features, b.vertices)"
#define STG_GATHERS_INTO_A_TENSOR "stg: gather takes the tensor first, then its rows: gather(data.features, b.vertices)"
template <TensorElement T, std::derived_from<batch> Batch> tensor<T> gather(const const_tensor<T>&, const Batch&) {
  constexpr bool fits = sizeof(Batch) == 0;
  static_assert(fits, STG_GATHERS_A_BATCH);
  return {};
}
template <TensorElement T, class Rows>
  requires std::is_same_v<std::remove_cvref_t<decltype(*std::begin(std::declval<const Rows&>()))>, std::int64_t>
      tensor<T> gather(const const_tensor<T>&, const Rows&) {
    constexpr bool fits = sizeof(Rows) == 0;
    static_assert(fits, "stg: rows are gathered by ids of 32 bits: std::vector<std::int32_t>");
    return {};
  }
template <class Rows, TensorElement T>
  requires(std::is_convertible_v<const Rows&, std::span<const std::int32_t>> || std::derived_from<Rows, batch>)
tensor<T> gather(const Rows&, const const_tensor<T>&) {
  constexpr bool fits = sizeof(Rows) == 0;
  static_assert(fits, STG_GATHERS_INTO_A_TENSOR);
  return {};
}

namespace detail {
template <TensorElement T, class Tensors> tensor<T> one_below_another(const Tensors& parts) try {
  std::vector<dimensions> shapes;
  std::vector<location> places;
  for (const const_tensor<T>& part : parts) shapes.push_back(part.shape()), places.push_back(part.place());
  auto all = tensor<T>::for_overwrite(shape_of_concatenated(shapes, places));
  T* to = all.data();
  for (const const_tensor<T>& part : parts) to = std::copy_n(part.data(), part.size(), to);
  return all;
} catch (const std::bad_alloc&) {
  no_memory();
}
}  // namespace detail

/// The rows of several tensors, or const_tensors, one below the other, (rows of all, ...): features of graphs side by
/// side. Errors: no tensors, rank 0, rows that are not alike, and a tensor on a device.
///
///   std::vector<stg::tensor<float>> charges;                // of each molecule, (atoms, 2)
///   auto all = stg::concatenate_rows(charges);              // (atoms of all, 2)
template <TensorElement T> tensor<T> concatenate_rows(std::span<const tensor<T>> parts) {
  return detail::one_below_another<T>(parts);
}
template <TensorElement T> tensor<T> concatenate_rows(std::span<const const_tensor<T>> parts) {
  return detail::one_below_another<T>(parts);
}
template <TensorElement T> tensor<T> concatenate_rows(const std::vector<tensor<T>>& parts) {
  return detail::one_below_another<T>(parts);
}
template <TensorElement T> tensor<T> concatenate_rows(const std::vector<const_tensor<T>>& parts) {
  return detail::one_below_another<T>(parts);
}

}  // namespace stg
