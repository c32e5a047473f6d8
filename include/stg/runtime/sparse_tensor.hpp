// Sparse features: the numbers of a matrix that are stored, by row and by column.
#pragma once

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <span>     // span

#include <stg/runtime/tensor.hpp>  // tensor, dimensions

namespace stg {

/// Half of a sparse matrix: entries k in [offsets[r], offsets[r + 1]) lie in row r and column index[k], ascending in
/// each row. A view: cheap to copy, valid while the tensor lives.
template <class T> struct sparse_rows {
  std::int64_t count = 0;                 // rows
  const std::int64_t* offsets = nullptr;  // (rows + 1)
  const std::int32_t* index = nullptr;    // (entries)
  const T* value = nullptr;               // (entries)
  std::int64_t stored = 0;                // entries

  std::int64_t entries() const { return stored; }
};

/// What a kernel reads of a sparse tensor: the matrix, and its transpose for the gradient of what it is multiplied by.
template <class T> struct sparse_view { sparse_rows<T> by_row, by_column; };

/// A matrix of (vertices, columns) of which only some numbers are stored; all others are 0. What a sparse feature is
/// bound to. Immutable, shared by its copies, and held with its transpose: 2 × (4 + sizeof(T)) bytes an entry, 8 a row
/// and 8 a column. It lies on the host, or is a copy on a device, which keeps the host's alive. T is float or double.
///
///   auto X = stg::sparse(dense);                                          // what is not 0
///   auto X = stg::sparse_tensor<float>::from_entries({2708, 1433}, vertex, column, value);
///   layer(graph, x = X, params);
template <class T> class STG_NODISCARD(STG_TENSOR_IS_NOT_USED) sparse_tensor {
 public:
  using value_type = T;

  /// Shape (0, 0).
  sparse_tensor();
  /// From entries in any order: entry k has value[k] at (row[k], column[k]). Errors that name the entry: lists of
  /// different lengths, a row or column outside of the shape, a place that is given twice.
  static sparse_tensor from_entries(const dimensions& shape, std::span<const std::int64_t> row,
                                    std::span<const std::int64_t> column, std::span<const T> value);
  /// From compressed rows: offsets (rows + 1), columns and values (entries), columns in any order within a row. Errors
  /// as from_entries; also offsets that do not begin with 0, descend, or do not end with the number of entries.
  static sparse_tensor from_rows(const dimensions& shape, std::span<const std::int64_t> offsets,
                                 std::span<const std::int32_t> column, std::span<const T> value);

  const dimensions& shape() const&;  // (rows, columns)
  dimensions shape() && { return shape(); }
  std::int64_t entries() const { return view().by_row.entries(); }
  /// Where the entries lie: stg::host, or stg::cuda(device).
  location place() const;
  /// The tensor with its entries elsewhere; itself when they lie there. Errors: no such device, or no memory on it.
  sparse_tensor to(location where) const;
  /// Entries row by row, and column by column. On a device: to be handed to kernels, and not read here.
  const sparse_view<T>& view() const&;
  void view() const&& = delete;  // stg: the tensor is gone with its entries; give it a name first
  /// Row rows[i] as row i, (rows, columns), on the host. Errors: a row that it does not have, with its position, and
  /// entries that lie on a device.
  sparse_tensor rows(std::span<const std::int32_t> rows) const;
  /// The same numbers with a 0 wherever none is stored, on the host. Error when the entries lie on a device.
  tensor<T> dense() const;
  /// For whoever refers to the entries later: they live as long as this.
  std::shared_ptr<const void> share() const { return held_; }

 private:
  struct arrays;
  explicit sparse_tensor(std::shared_ptr<const arrays> held) : held_(std::move(held)) {}

  std::shared_ptr<const arrays> held_;
};

/// The numbers of a dense matrix that are not 0. Error for any rank but 2, and for 2³¹ rows or columns or more.
template <class T> sparse_tensor<T> sparse(const const_tensor<T>& dense);

extern template class sparse_tensor<float>;
extern template class sparse_tensor<double>;
extern template sparse_tensor<float> sparse(const const_tensor<float>&);
extern template sparse_tensor<double> sparse(const const_tensor<double>&);

}  // namespace stg
