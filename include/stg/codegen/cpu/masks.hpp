// The random masks of dropout: drawn for some rows or edges at a time, where those have few elements. A row of four is
// one block of random numbers, and a register has room for sixteen.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/larger.hpp>          // larger, smaller
#include <stg/codegen/cpu/context.hpp>  // row_context, mask_number
#include <stg/codegen/cpu/scratch.hpp>  // masks_at_a_time
#include <stg/runtime/random.hpp>       // draw_keep_row, draw_keep_rows

namespace stg::cpu {

namespace detail {

/// Which random numbers a mask draws.
template <class P, int I> STG_INLINE std::int64_t site_of(const random_draws& draws) {
  return draws.first_site + draws.sites[P::program.statements[I].site()];
}

/// The masks of `count` rows or edges, `id(k)` of each, `stride` elements from one to the next.
template <class P, int I, class Id>
STG_INLINE void draw_masks(element<P, I>* to, std::int64_t stride, const launch& call, std::int64_t count, Id id) {
  constexpr ir::statement s = P::program.statements[I];
  draw_keep_rows(to, stride, call.draws.seed, call.draws.number, site_of<P, I>(call.draws), count, width<P, I>(call),
                 s.drop_probability(), id);
}

}  // namespace detail

/// Draws the mask of the vertex at hand, unless it is there.
template <class P, int I> STG_INLINE void fill_mask(const row_context& c) {
  constexpr ir::statement s = P::program.statements[I];
  constexpr int number = mask_number<P, I>();
  const std::int64_t w = width<P, I>(c.call);
  if constexpr (number < 0) {
    draw_keep_row(row_of<P, no_loop, I>(c, 0), c.call.draws.seed, c.call.draws.number,
                  detail::site_of<P, I>(c.call.draws), c.edges.global_row(c.row), w, s.drop_probability());
  } else {
    drawn_masks& there = c.masks[number];
    if (c.row < there.end) return;
    there = {c.row, smaller(c.last, c.row + masks_at_a_time(w))};
    detail::draw_masks<P, I>(row_of<P, no_loop, I>(c, 0), w, c.call, there.end - there.begin,
                             [&](std::int64_t k) { return c.edges.global_row(c.row + k); });
  }
}

/// Draws the masks of the chunk's edges, unless they are there: `edges`, or as many of those that follow as are drawn
/// at a time.
template <class P, int Loop, int I> STG_INLINE void fill_edge_masks(const row_context& c, std::int64_t edges) {
  constexpr int number = mask_number<P, I>();
  std::int64_t count = edges;
  if constexpr (number >= 0) {
    drawn_masks& there = c.masks[number];
    if (there.begin <= c.first && c.first + edges <= there.end) return;
    const std::int64_t left = c.edges.begin(c.last) - c.first;
    count = larger(edges, smaller(left, masks_at_a_time(width<P, I>(c.call))));
    there = {c.first, c.first + count};
  }
  detail::draw_masks<P, I>(row_of<P, Loop, I>(c, 0), edge_stride<P, I>(c.call), c.call, count,
                           [&](std::int64_t k) { return c.edges.global_edge(c.edges.edge_id(c.first + k)); });
}

}  // namespace stg::cpu
