// Places of the values of a unit, or of a chain of units, in a thread's scratch, and how many edges a loop takes at a
// time. It is computed anew for each call's sizes, by functions that are compiled once, in the library: they read a
// plan as data.
#pragma once

#include <cstdint>  // int64_t

#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::cpu {

struct scratch_sizes {
  std::int64_t edges_at_a_time = 0;  // of every loop: one reads a chunk's values of the loop before
  std::int64_t bytes = 0;            // of one thread
};

/// Rows, or edges, whose masks of so many elements are drawn at a time: a few registers of random numbers, since a
/// short row would fill only a part of one.
constexpr std::int64_t masks_at_a_time(std::int64_t width) {
  constexpr std::int64_t elements = 256, most = 64;
  return width * most <= elements ? most : width < elements ? elements / width : 1;
}

/// Bytes of the row of an edge's value, as it is padded in scratch.
std::int64_t bytes_of_edge(const codegen::plan_data& plan, int i, const std::int64_t* extents);

/// Arrays of a top_share beside its row, each as long as a padded row: maxima, sums, their inverses (softmax.hpp).
inline constexpr int softmax_arrays = 3;
/// Bytes of an aggregate in scratch beside its row: these arrays, or the largest values of a first_max_edge; else 0.
std::int64_t state_bytes(const codegen::plan_data& plan, int a, const std::int64_t* extents);

/// Lays out the units [first, last): one, or a chain; in a chain, values that one unit leaves for the next have a row
/// for each of `block_rows`. Writes the offsets of all rows, then of the states of aggregates and reductions: 2 · size
/// + 1 numbers; -1: not here. A value that several loops compute has one place for all of them.
scratch_sizes lay_out(const codegen::plan_data& plan, int first, int last, const std::int64_t* extents,
                      std::int64_t block_rows, std::int64_t* offsets);

/// Rows that the chain of units [first, last) takes at a time.
std::int64_t rows_of_block(const codegen::plan_data& plan, int first, int last, const std::int64_t* extents);

}  // namespace stg::cpu
