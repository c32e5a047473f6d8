// Moving rows of numbers whose type does not matter: by their bytes.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t

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

/// `count` copies of a row of so many bytes, one after the other.
void repeat_row(std::byte* to, const std::byte* row, std::int64_t count, std::int64_t bytes);

/// Rows of shape `from`, each as a row of the shape that it broadcasts to.
void broadcast_rows(std::byte* to, const axes& to_axes, const std::byte* from, const axes& from_axes,
                    std::int64_t count, int element_bytes);

/// Two axes of every row change places.
void transpose_rows(std::byte* to, const axes& to_axes, const std::byte* from, int one, int other, std::int64_t count,
                    int element_bytes);

}  // namespace stg::drafts
