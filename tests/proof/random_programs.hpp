// Random programs: any list of genes is a well-typed one, so that a failing program is shrunk by leaving genes out.
#pragma once

#include "../run/support/families.hpp"  // family

#include <stg/codegen/interpreter.hpp>  // environment
#include <stg/ir/program.hpp>           // program

#include <cstddef>  // size_t
#include <cstdint>  // uint32_t, uint64_t
#include <vector>   // vector

namespace stg::test {

class choices;

/// What is written, an operation or a phrase, and the seed of all choices on the way.
struct gene {
  std::uint32_t what = 0, seed = 0;
};

/// How large programs may become.
struct program_limits {
  int statements = 40;
  int rank = 3;
  std::int64_t width = 48;  // numbers of one row
};

/// A program to run: on which of the families, and with inputs at which every operation is in its domain.
struct random_program {
  ir::program program{};
  oracle::environment env{};
  std::size_t family = 0;
};

/// A number that the environment gives, STG_PROGRAMS or its like.
long number_from(const char* variable, long otherwise);

/// All graph families, made once.
const std::vector<family>& all_families();

/// The same genes, seed and limits give the same program.
random_program write_program(const std::vector<gene>& genes, std::uint64_t seed, const program_limits& limits);
/// A program of so many genes.
random_program draw_program(choices& c, int genes, const program_limits& limits = {});

/// A program of a few statements, for which a compiler takes seconds: in f64, extents those of inputs, random sites
/// numbered as order numbers them, and trainable is what has a gradient.
random_program small_program(std::uint64_t seed);

/// What can be differentiated: real outputs, and trainable inputs on which one depends without a step in between.
struct differentiable_part {
  std::vector<int> outputs{};
  sequence<ir::value_id> inputs{};
};
differentiable_part differentiable_part_of(const ir::program& p);

/// The site at which a mask was written: order numbers sites anew, and a mask's probability says which it was.
std::int64_t site_as_written(const ir::statement& mask);

}  // namespace stg::test
