// What the machine can do at most: bytes from memory, rows by their ids, multiplications and additions.
#pragma once

#include <stg/runtime/arena.hpp>  // arena
#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>  // int64_t

namespace stg::probe {

// Every probe runs with threads() threads and the widest registers that isa() allows, and returns the seconds of one
// pass. A first pass pays for cold caches and page tables; take the median or the least of several.

/// The floor of a sum over neighbours: the time to read, and add up without weights, the rows that the in-edges of a
/// graph name, in their order, from a table of (sources, width) floats, and to write (destinations, width) floats past
/// the caches. Nothing that computes such a sum row by row, from memory in that order, does with less. Keeps its graph.
///
///   stg::probe::gather floor(graph, 64);
///   const double seconds = floor.best();
class gather {
 public:
  /// Error when width is below 1.
  gather(graph g, std::int64_t width);

  /// One pass over the rows, asking for row k + distance when row k is read; 0 leaves it to the hardware.
  double read(int distance);
  /// One pass over the output.
  double write();
  /// Distances that `best` tries.
  static constexpr int distances[] = {0, 8, 16};
  /// The least of `passes` passes at each distance, plus the least of as many writes.
  double best(int passes = 5);

 private:
  graph graph_;
  std::int64_t width_;
  arena table_, output_;
};

/// Bytes per second from and to memory beyond the caches: the best of three passes over arrays of 256 MiB.
struct bandwidth {
  double read = 0;   // sum of an array
  double write = 0;  // past the caches
  double triad = 0;  // a[i] = b[i] + s c[i]: three arrays, as McCalpin's STREAM counts, a past the caches
};
bandwidth memory_bandwidth();

/// Operations per second of independent multiply-adds in registers, counted as two each: the best of twenty passes.
double arithmetic_peak();

}  // namespace stg::probe
