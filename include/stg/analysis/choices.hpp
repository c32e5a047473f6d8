// choices: the numbers that passes decide by, as one value that the pipeline is given.
//
// Each was measured; none changes what a program computes, only what is stored, where it is computed and in how many
// sweeps. Passes that decide by one take it as their last argument, and what is left out is what was measured.
#pragma once

#include <cstdint>  // int64_t

#include <stg/analysis/unit.hpp>  // relations_of_sweep, most_narrow_elements

namespace stg::pass {

/// Costs are arithmetic operations per element (op::info).
///
///   constexpr pass::choices memory_first{.recomputed_cost = 40, .few_numbers = 1};
///   pipeline::differentiated(p, asked_of(p, provided, required, memory_first));
struct choices {
  // save: per-vertex work that is done again rather than stored costs no more, and so many numbers per vertex are saved
  // rather than a wider value that is computed from them.
  int recomputed_cost = 12;
  int few_numbers = 8;

  // hoist: from which cost on one number per vertex is kept for calls with fixed inputs; above which a whole row is.
  int kept_number_cost = 4;
  int kept_row_cost = 12;

  // factor: terms that a message is taken apart into, at most.
  int most_terms = 4;

  // sink: what is moved from a vertex to its edges, so that a wide table is gathered as it lies, costs no more.
  int moved_cost = 1;

  // pack: bytes of a value that is worth packing, which is half a cache line, and of a record.
  std::int64_t most_packed_bytes = 32;
  std::int64_t most_record_bytes = 128;

  // fuse: of how many relations a sweep may have loops.
  relations_of_sweep relations = relations_of_sweep::several;

  // plan: values of up to so many features are computed across edges, at most most_narrow_elements, which kernels have
  // registers for; and what costs as much once for all who read it.
  int narrow_elements = most_narrow_elements;
  int computed_once_cost = 4;

  constexpr bool operator==(const choices&) const = default;
};

}  // namespace stg::pass
