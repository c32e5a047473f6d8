// choices: the numbers that passes decide by, as one argument of the pipeline.
//
// Each was measured; none changes the results of a program, only its stored values, the place of its work and the
// number of sweeps. Passes that decide by one take it as their last argument; a number left out has its measured value.
#pragma once

#include <cstdint>  // int64_t

#include <stg/analysis/unit.hpp>  // relations_of_sweep, most_narrow_elements

namespace stg::pass {

/// Costs are arithmetic operations per element (op::info).
///
///   constexpr pass::choices memory_first{.recomputed_cost = 40, .few_numbers = 1};
///   pipeline::differentiated(p, asked_of(p, provided, required, memory_first));
struct choices {
  // save: per-vertex work that is done again rather than stored costs no more; so many numbers per vertex are saved
  // instead of a wider value computed from them.
  int recomputed_cost = 12;
  int few_numbers = 8;

  // hoist: cost from which one number per vertex is kept for calls with fixed inputs; cost above which a whole row is.
  int kept_number_cost = 4;
  int kept_row_cost = 12;

  // factor: a message is taken apart into so many terms at most.
  int most_terms = 4;

  // sink: highest cost of work moved from a vertex to its edges, so that a wide table is gathered as it lies.
  int moved_cost = 1;

  // pack: bytes of a value worth packing, half a cache line, and of a record.
  std::int64_t most_packed_bytes = 32;
  std::int64_t most_record_bytes = 128;

  // fuse: of how many relations a sweep may have loops.
  relations_of_sweep relations = relations_of_sweep::several;

  // plan: values of up to so many features are computed across edges, at most most_narrow_elements, for the registers
  // of kernels; values of this cost are computed once for all their readers.
  int narrow_elements = most_narrow_elements;
  int computed_once_cost = 4;

  constexpr bool operator==(const choices&) const = default;
};

}  // namespace stg::pass
