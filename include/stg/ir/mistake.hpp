// Mistakes of a lambda that a program notes, because a number or the program so far shows them and no type does.
#pragma once

#include <stg/base/standard.hpp>  // C++20

// clang-format off
#define STG_MISTAKES(word)            \
  word(dropout_of_everything)         \
  word(dropout_twice)                 \
  word(gradient_of_another_value)     \
  word(gradient_has_no_way)           \
  word(long_name)                     \
  word(long_extent)                   \
  word(steps_read_outside)            \
  word(steps_of_another_scan)         \
  word(value_of_an_inner_step)        \
  word(reads_beside)                  \
  word(kept_in_two_ways)              \
  word(begins_in_two_ways)            \
  word(keeps_nothing)                 \
  word(exchanges_nothing)             \
  word(softmax_before_cross_entropy)  \
  word(sigmoid_before_bce)            \
  word(nll_of_no_logarithms)          \
  word(bounds_exchanged)              \
  word(delta_not_above_0)             \
  word(eps_outside)                   \
  word(momentum_outside)              \
  word(share_outside)                 \
  word(hops_below_0)                  \
  word(eigenvalue_outside)            \
  word(entry_outside)                 \
  word(begins_in_no_range)            \
  word(message_in_steps)              \
  word(rank_below_0)
// clang-format on

namespace stg::ir {

/// The mistake that a program has, if any. The call that compiles the lambda says the mistake in a sentence; a text
/// says the word, and a program with a mistake does not run.
enum class mistake : int {
  none,
#define STG_MISTAKE(name) name,
  STG_MISTAKES(STG_MISTAKE)
#undef STG_MISTAKE
      is_said  // at its place, by a sentence of its own
};

}  // namespace stg::ir
