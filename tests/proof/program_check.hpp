// A random program in every form in which it can be called, against the naive interpreter of what was written: plainly,
// as a training step, and both with some inputs fixed.
#pragma once

#include "random_programs.hpp"  // random_program

#include <stg/ir/opcode.hpp>  // opcode_count

#include <cstdint>  // uint64_t
#include <vector>   // vector

namespace stg::test {

/// What was tried, in numbers.
struct tally {
  long programs = 0, statements = 0, gradients = 0, prologues = 0, units = 0, loops = 0, chains = 0, narrow_values = 0;
  long numbers = 0,
       loose_numbers = 0;  // compared; with a bound above 1e-5, absolute and of the largest number beside them
  long seen[ir::opcode_count] = {}, differentiated[ir::opcode_count] = {};
  std::vector<long> families = std::vector<long>(all_families().size(), 0);
};

/// Throws the first fault: a rule that a pass broke, a plan that reads a value from the wrong place, or a number off by
/// more than 1e-10 of its magnitude (the sum of its absolute terms, carried through functions by their slopes). The
/// seed chooses cotangents, which inputs are fixed, and what a backend is free to choose.
void check_program(const random_program& of, std::uint64_t seed, tally& counts);

}  // namespace stg::test
