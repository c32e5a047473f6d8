// Opt-in bridge to Eigen: matrices that look at a tensor's memory.
#pragma once

#include <stg/base/error.hpp>      // error
#include <stg/runtime/tensor.hpp>  // tensor

#include <Eigen/Core>  // Map, Matrix

namespace stg {

/// Row-major Eigen matrix of run-time size.
template <class T> using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The tensor's memory as an Eigen matrix (first extent, product of the rest): rank 1 is a column, rank 0 is (1, 1).
/// Valid while the tensor's memory lives. Error when it lies on a device.
///
///   stg::eigen_map(y) = stg::eigen_map(x) * stg::eigen_map(w);
template <class T> Eigen::Map<eigen_matrix<T>> eigen_map(tensor<T>& t) {
  const std::int64_t rows = t.rank() == 0 ? 1 : t.extent(0);
  std::int64_t cols = 1;
  for (int a = 1; a < t.rank(); ++a) cols *= t.extent(a);
  return Eigen::Map<eigen_matrix<T>>(t.begin(), rows, cols);
}
template <class T> Eigen::Map<const eigen_matrix<T>> eigen_map(const const_tensor<T>& t) {
  const std::int64_t rows = t.rank() == 0 ? 1 : t.extent(0);
  std::int64_t cols = 1;
  for (int a = 1; a < t.rank(); ++a) cols *= t.extent(a);
  return Eigen::Map<const eigen_matrix<T>>(t.begin(), rows, cols);
}

// A map looks at the tensor's memory, and owns none.
template <class T> void eigen_map(tensor<T>&&) = delete;  // stg: the tensor is gone with its map; give it a name first
template <class T>
void eigen_map(const_tensor<T>&&) = delete;  // stg: the tensor is gone with its map; give it a name first

}  // namespace stg
