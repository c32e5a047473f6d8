// Moving rows of numbers whose type does not matter: by their bytes.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <cstring>  // memcpy

#include <stg/ir/shape.hpp>  // shape

namespace stg::drafts {

/// A row's extents, as numbers.
struct axes {
  std::int64_t at[ir::shape::max_rank] = {};
  int rank = 0;

  axes(const ir::shape& dims, const std::int64_t* extents);
  /// The product of axes [from, to).
  std::int64_t product(int from, int to) const;
  std::int64_t size() const { return product(0, rank); }
};

/// Copies a row; those of usual lengths without a call.
inline void copy_row(std::byte* to, const std::byte* from, std::int64_t bytes) {
  switch (bytes) {
    case 8:
      std::memcpy(to, from, 8);
      return;
    case 16:
      std::memcpy(to, from, 16);
      return;
    case 32:
      std::memcpy(to, from, 32);
      return;
    case 64:
      std::memcpy(to, from, 64);
      return;
    case 128:
      std::memcpy(to, from, 128);
      return;
    default:
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

/// `count` copies of a row of so many bytes, one after the other.
void repeat_row(std::byte* to, const std::byte* row, std::int64_t count, std::int64_t bytes);

/// Rows of shape `from`, each as a row of the shape that it broadcasts to.
void broadcast_rows(std::byte* to, const axes& to_axes, const std::byte* from, const axes& from_axes,
                    std::int64_t count, int element_bytes);

/// Two axes of every row change places.
void transpose_rows(std::byte* to, const axes& to_axes, const std::byte* from, int one, int other, std::int64_t count,
                    int element_bytes);

}  // namespace stg::drafts
