// Moving rows of numbers by their bytes.
#include "rows.hpp"

#include <algorithm>  // fill_n, swap
#include <cstring>    // memcpy

#include <stg/codegen/plan_data.hpp>  // extent_of

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

/// Runs of one number each, of N: as many as heads have features, mostly, for which the loop is written out.
template <int N, class T> T* spread_runs(T* to, const T* from, std::int64_t runs, std::int64_t step) {
  for (std::int64_t r = 0; r < runs; ++r, to += N, from += step) {
    const T x = *from;
    for (int i = 0; i < N; ++i) to[i] = x;
  }
  return to;
}

/// Two axes: runs of elements, or of one number each.
template <class T>
T* walk_runs(T* to, const T* from, std::int64_t runs, std::int64_t step, std::int64_t n, std::int64_t stride) {
  if (stride == 0 && n == 8) return spread_runs<8>(to, from, runs, step);
  if (stride == 0 && n == 16) return spread_runs<16>(to, from, runs, step);
  if (stride == 0 && n == 32) return spread_runs<32>(to, from, runs, step);
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
/// All axes: the last two are runs, for every index of those before.
template <class T> void walk_axes(T* to, const T* from, const walk& w) {
  if (w.rank == 0) *to = *from;
  if (w.rank == 1) walk_runs(to, from, 1, 0, w.extents[0], w.strides[0]);
  if (w.rank < 2) return;
  const int outer = w.rank - 2;
  std::int64_t index[ir::shape::max_rank + 1] = {};
  for (bool more = true; more;) {
    to = walk_runs(to, from, w.extents[outer], w.strides[outer], w.extents[outer + 1], w.strides[outer + 1]);
    more = false;
    for (int a = outer; a-- > 0;) {
      from += w.strides[a];
      more = ++index[a] < w.extents[a];
      if (more) break;
      from -= w.strides[a] * w.extents[a];
      index[a] = 0;
    }
  }
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
  for (int a = 0; a < w.rank; ++a)
    if (w.extents[a] == 0) return;
  merge(w);
  const auto as = [&](auto element) {
    using T = decltype(element);
    walk_axes(reinterpret_cast<T*>(to), reinterpret_cast<const T*>(from), w);
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
  for (int a = 0; a < rank; ++a) at[a] = codegen::extent_of(dims.axes[a].code, extents);
}

std::int64_t axes::product(int from, int to) const {
  std::int64_t n = 1;
  for (int a = from; a < to; ++a) n *= at[a];
  return n;
}

void repeat_row(std::byte* to, const std::byte* row, std::int64_t count, std::int64_t bytes) {
  if (bytes == 4) {
    std::uint32_t number;
    std::memcpy(&number, row, sizeof number);
    std::fill_n(reinterpret_cast<std::uint32_t*>(to), count, number);
  } else if (bytes == 32) {
    for (std::int64_t r = 0; r < count; ++r, to += 32) std::memcpy(to, row, 32);
  } else {
    for (std::int64_t r = 0; r < count; ++r, to += bytes) std::memcpy(to, row, static_cast<std::size_t>(bytes));
  }
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
