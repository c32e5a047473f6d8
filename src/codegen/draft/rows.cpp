// Moving rows of numbers by their bytes.
#include "rows.hpp"

#include <algorithm>  // min, swap
#include <cstring>    // memcpy

namespace stg::drafts {

namespace {

/// Where each element of a row comes from: a stride for every axis of the result.
struct walk {
  std::int64_t extents[ir::shape::max_rank], strides[ir::shape::max_rank];
  int rank = 0;
};

template <class T> void copy_run(T* to, const T* from, std::int64_t stride, std::int64_t n) {
  if (stride == 1) {
    std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(n) * sizeof(T));
  } else if (stride == 0) {
    const T x = *from;
    for (std::int64_t i = 0; i < n; ++i) to[i] = x;
  } else {
    for (std::int64_t i = 0; i < n; ++i) to[i] = from[i * stride];
  }
}

template <class T> void walk_axes(T*& to, const T* from, const walk& w, int axis) {
  if (axis + 1 >= w.rank) {
    const std::int64_t n = w.rank == 0 ? 1 : w.extents[axis];
    copy_run(to, from, w.rank == 0 ? 1 : w.strides[axis], n);
    to += n;
    return;
  }
  for (std::int64_t i = 0; i < w.extents[axis]; ++i) walk_axes(to, from + i * w.strides[axis], w, axis + 1);
}

/// Axes that are walked alike become one.
void merge(walk& w) {
  int n = 0;
  for (int a = 0; a < w.rank; ++a) {
    if (w.extents[a] == 1) continue;
    if (n > 0 && w.strides[n - 1] == w.strides[a] * w.extents[a]) {
      w.extents[n - 1] *= w.extents[a];
      w.strides[n - 1] = w.strides[a];
    } else {
      w.extents[n] = w.extents[a];
      w.strides[n++] = w.strides[a];
    }
  }
  w.rank = n;
}

template <class T>
void walk_rows(std::byte* to, const std::byte* from, walk w, std::int64_t from_size, std::int64_t count) {
  merge(w);
  T* into = reinterpret_cast<T*>(to);
  const T* row = reinterpret_cast<const T*>(from);
  for (std::int64_t r = 0; r < count; ++r, row += from_size) walk_axes(into, row, w, 0);
}
void walk_rows(std::byte* to, const std::byte* from, const walk& w, std::int64_t from_size, std::int64_t count,
               int element_bytes) {
  switch (element_bytes) {
    case 1:
      return walk_rows<std::uint8_t>(to, from, w, from_size, count);
    case 2:
      return walk_rows<std::uint16_t>(to, from, w, from_size, count);
    case 4:
      return walk_rows<std::uint32_t>(to, from, w, from_size, count);
    default:
      return walk_rows<std::uint64_t>(to, from, w, from_size, count);
  }
}

}  // namespace

axes::axes(const ir::shape& dims, const std::int64_t* extents) : rank(dims.rank) {
  for (int a = 0; a < rank; ++a) at[a] = dims.axes[a].is_static() ? dims.axes[a].code : extents[-1 - dims.axes[a].code];
}

std::int64_t axes::product(int from, int to) const {
  std::int64_t n = 1;
  for (int a = from; a < to; ++a) n *= at[a];
  return n;
}

void repeat_row(std::byte* to, const std::byte* row, std::int64_t count, std::int64_t bytes) {
  for (std::int64_t r = 0; r < count; ++r, to += bytes) std::memcpy(to, row, static_cast<std::size_t>(bytes));
}

void broadcast_rows(std::byte* to, const axes& to_axes, const std::byte* from, const axes& from_axes,
                    std::int64_t count, int element_bytes) {
  walk w;
  w.rank = to_axes.rank;
  std::int64_t stride = 1;
  for (int a = w.rank; a-- > 0;) {
    const int b = a - (w.rank - from_axes.rank);
    const std::int64_t theirs = b < 0 ? 1 : from_axes.at[b];
    w.extents[a] = to_axes.at[a];
    w.strides[a] = theirs == 1 ? 0 : stride;
    stride *= theirs;
  }
  walk_rows(to, from, w, stride, count, element_bytes);
}

void transpose_rows(std::byte* to, const axes& to_axes, const std::byte* from, int one, int other, std::int64_t count,
                    int element_bytes) {
  axes theirs = to_axes;
  std::swap(theirs.at[one], theirs.at[other]);
  walk w;
  w.rank = to_axes.rank;
  for (int a = 0; a < w.rank; ++a) {
    w.extents[a] = to_axes.at[a];
    w.strides[a] = theirs.product(a + 1, w.rank);
  }
  std::swap(w.strides[one], w.strides[other]);
  walk_rows(to, from, w, theirs.size(), count, element_bytes);
}

}  // namespace stg::drafts
