// Blocks of dense products, compiled once per instruction set by kernels_{baseline,avx2,avx512}.cpp.
// No inline function of the standard library or of stg is called here: the linker would merge copies of it, and AVX-512
// code then runs on machines without it.
#pragma once

#include "dense_table.hpp"  // dense_table
#include "dense_tile.hpp"   // tiles_of

namespace stg::STG_ISA::dense {

/// Terms summed in registers before they are added to y: part of the result's rounding, the same for every thread
/// count.
template <class T> inline constexpr index inner_block = 1024 / sizeof(T);

/// Rows whose part of x stays in a first-level cache from panel to panel; a multiple of every tile's rows.
inline constexpr index group_rows = 48;

/// Rows that one pass of a reduced product sums: its panel of g then fits a first-level cache.
template <class T> inline constexpr index reduced_depth = 512 / sizeof(T);

/// Neighbouring columns that a tile is wide: all columns are cut into as few panels as possible, as equal as possible.
struct panel {
  index first, cols;
  int vectors;
};
template <class T> STG_INLINE index panel_count(index cols) {
  constexpr index most = most_vectors * lanes<T>::count;
  return (cols + most - 1) / most;
}
template <class T> STG_INLINE panel panel_at(index j, index cols) {
  constexpr index n = lanes<T>::count;
  const index vectors = (cols + n - 1) / n, panels = panel_count<T>(cols);
  const index first = vectors * j / panels, last = vectors * (j + 1) / panels;
  return {first * n, (last * n < cols ? last * n : cols) - first * n, static_cast<int>(last - first)};
}

/// Copies w to `to`, both of whole vectors: (depth, Vectors * lanes).
template <int Vectors, class T> void pack_vectors(const T* w, index row, T* to, index depth) {
  constexpr index n = lanes<T>::count;
  for (index p = 0; p < depth; ++p, w += row, to += Vectors * n)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) std::memcpy(to + v * n, w + v * n, vector_bytes);
}
template <int Vectors = most_vectors, class T>
STG_INLINE void pack_vectors_of(int vectors, const T* w, index row, T* to, index depth) {
  if constexpr (Vectors > 1)
    if (vectors < Vectors) return pack_vectors_of<Vectors - 1>(vectors, w, row, to, depth);
  pack_vectors<Vectors>(w, row, to, depth);
}

/// Copies w to `to`: (depth, vectors * lanes), zero beyond the panel's columns. w: (depth, cols) at w[p * row + c *
/// col].
template <class T> void pack_panel(const T* w, index row, index col, T* to, index depth, const panel& columns) {
  const index width = columns.vectors * lanes<T>::count;
  if (col == 1 && columns.cols == width) return pack_vectors_of(columns.vectors, w, row, to, depth);
  for (index p = 0; p < depth; ++p, w += row, to += width) {
    if (col == 1)
      for (index c = 0; c < columns.cols; ++c) to[c] = w[c];
    else
      for (index c = 0; c < columns.cols; ++c) to[c] = w[c * col];
    for (index c = columns.cols; c < width; ++c) to[c] = T{0};
  }
}

/// w, (inner, cols) or transposed, panel after panel.
template <class T> void pack(const T* w, T* packed, index inner, index cols, bool transpose_w) {
  const index row = transpose_w ? 1 : cols, col = transpose_w ? inner : 1;
  for (index j = 0; j < panel_count<T>(cols); ++j) {
    const panel columns = panel_at<T>(j, cols);
    pack_panel(w + columns.first * col, row, col, packed + columns.first * inner, inner, columns);
  }
}

/// y = x w for at most group_rows rows; all columns of one depth before the next, so that x is read once. `next` are
/// the rows that follow.
template <class T>
void product_group(const T* x, const T* packed, T* y, index rows, index inner, index cols, bool past, const T* next) {
  constexpr index bytes = sizeof(T);
  for (index p = 0; p < inner; p += inner_block<T>) {
    const index depth = inner - p < inner_block<T> ? inner - p : inner_block<T>;
    const storing how = p != 0 ? storing::add : past && depth == inner ? storing::stream : storing::set;
    for (index j = 0; j < panel_count<T>(cols); ++j) {
      const panel columns = panel_at<T>(j, cols);
      const factor<T, false> from{x + p, inner};                                                  // (rows, depth)
      const T* const w = packed + columns.first * inner + p * columns.vectors * lanes<T>::count;  // (depth, columns)
      const target<T> to{y + columns.first, cols, how};                                           // (rows, columns)
      if (j == 0 && depth == inner)  // neighbouring rows are one piece
        tiles_of<true>(columns.vectors, from, w, rows, depth, to, columns.cols,
                       {address(next), address(w), 64, 0, inner * bytes, 0});
      else tiles_of<false>(columns.vectors, from, w, rows, depth, to, columns.cols);
    }
  }
}

template <class T>
void product_rows(const T* x, const T* packed, T* y, index rows, index inner, index cols, bool past_caches) {
  constexpr index room = 32768 / sizeof(T);
  const bool whole_lines = cols * static_cast<index>(sizeof(T)) % 64 == 0 && inner <= inner_block<T>;
  const auto following = [=](index i) { return i + group_rows < rows ? x + (i + group_rows) * inner : x + i * inner; };
  index i = 0;
  if (past_caches && !whole_lines && group_rows * cols <= room) {
    alignas(64) T group[room];  // (group_rows, cols): whole lines, whatever cols is
    for (; i + group_rows <= rows; i += group_rows) {
      product_group(x + i * inner, packed, group, group_rows, inner, cols, false, following(i));
      for (index c = 0; c < group_rows * cols; c += lanes<T>::count) {
        typename lanes<T>::type v;
        std::memcpy(&v, group + c, sizeof v);
        stream(y + i * cols + c, v);
      }
    }
  }
  for (; i < rows; i += group_rows)
    product_group(x + i * inner, packed, y + i * cols, rows - i < group_rows ? rows - i : group_rows, inner, cols,
                  past_caches && whole_lines, following(i));
  if (past_caches) finish_streams();
}

template <class T>
void reduced_rows(const T* x, index k, index columns, const T* g, T* y, index rows, index m, bool add) {
  constexpr index deep = reduced_depth<T>, bytes = sizeof(T);
  alignas(64) T packed[deep * most_vectors * lanes<T>::count];
  for (index r = 0; r < rows; r += deep) {
    const index depth = rows - r < deep ? rows - r : deep;
    const factor<T, true> here{x + r * k, k};
    const index following = r + deep < rows ? r + deep : r;
    const upcoming next{address(x + following * k), address(g + following * m), k * bytes, m * bytes, bytes, m * bytes};
    for (index j = 0; j < panel_count<T>(m); ++j) {
      const panel of_g = panel_at<T>(j, m);
      const target<T> to{y + of_g.first, m, add || r != 0 ? storing::add : storing::set};
      pack_panel(g + r * m + of_g.first, m, 1, packed, depth, of_g);
      if (j == 0) tiles_of<true>(of_g.vectors, here, packed, columns, depth, to, of_g.cols, next);
      else tiles_of<false>(of_g.vectors, here, packed, columns, depth, to, of_g.cols);
    }
  }
}

inline constexpr dense_table table = {{pack<float>, product_rows<float>, reduced_rows<float>},
                                      {pack<double>, product_rows<double>, reduced_rows<double>}};

}  // namespace stg::STG_ISA::dense
