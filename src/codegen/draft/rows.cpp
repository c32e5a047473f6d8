// Moving rows of numbers by their bytes.
#include "rows.hpp"

#include <algorithm>  // min, swap
#include <cstring>    // memcpy

namespace stg::drafts {

namespace {

/// Where each element of some rows comes from: a stride for every axis of the result, the first for the rows.
struct walk {
  std::int64_t extents[ir::shape::max_rank + 1], strides[ir::shape::max_rank + 1];
  int rank = 0;

  void add(std::int64_t extent, std::int64_t stride) {
    extents[rank] = extent;
    strides[rank++] = stride;
  }
};

/// Two axes: runs of elements, or of one number each.
template <class T>
T* walk_runs(T* to, const T* from, std::int64_t runs, std::int64_t step, std::int64_t n, std::int64_t stride) {
  for (std::int64_t r = 0; r < runs; ++r, to += n, from += step) {
    if (stride == 0) {
      const T x = *from;
      for (std::int64_t i = 0; i < n; ++i) to[i] = x;
    } else if (stride == 1) {
      for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
    } else {
      for (std::int64_t i = 0; i < n; ++i) to[i] = from[i * stride];
    }
  }
  return to;
}
template <class T> T* walk_axes(T* to, const T* from, const walk& w, int axis) {
  if (w.rank == 0) return walk_runs(to, from, 1, 0, 1, 1);
  if (axis + 1 == w.rank) return walk_runs(to, from, 1, 0, w.extents[axis], w.strides[axis]);
  if (axis + 2 == w.rank)
    return walk_runs(to, from, w.extents[axis], w.strides[axis], w.extents[axis + 1], w.strides[axis + 1]);
  for (std::int64_t i = 0; i < w.extents[axis]; ++i) to = walk_axes(to, from + i * w.strides[axis], w, axis + 1);
  return to;
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

/// Rows of a walk that has the rows as its first axis.
void walk_rows(std::byte* to, const std::byte* from, walk w, int element_bytes) {
  merge(w);
  const auto as = [&](auto element) {
    using T = decltype(element);
    walk_axes(reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from), w, 0);
  };
  switch (element_bytes) {
    case 1:
      return as(std::uint8_t{});
    case 2:
      return as(std::uint16_t{});
    case 4:
      return as(std::uint32_t{});
    default:
      return as(std::uint64_t{});
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
  std::int64_t strides[ir::shape::max_rank], stride = 1;
  for (int a = to_axes.rank; a-- > 0;) {
    const int b = a - (to_axes.rank - from_axes.rank);
    const std::int64_t theirs = b < 0 ? 1 : from_axes.at[b];
    strides[a] = theirs == 1 ? 0 : stride;
    stride *= theirs;
  }
  walk w;
  w.add(count, stride);
  for (int a = 0; a < to_axes.rank; ++a) w.add(to_axes.at[a], strides[a]);
  walk_rows(to, from, w, element_bytes);
}

void transpose_rows(std::byte* to, const axes& to_axes, const std::byte* from, int one, int other, std::int64_t count,
                    int element_bytes) {
  axes theirs = to_axes;
  std::swap(theirs.at[one], theirs.at[other]);
  walk w;
  w.add(count, theirs.size());
  for (int a = 0; a < to_axes.rank; ++a) {
    const int from_axis = a == one ? other : a == other ? one : a;
    w.add(to_axes.at[a], theirs.product(from_axis + 1, theirs.rank));
  }
  walk_rows(to, from, w, element_bytes);
}

}  // namespace stg::drafts
