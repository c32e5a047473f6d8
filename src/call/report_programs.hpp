// All programs of an explanation with their plans, outputs and inputs named by who gives or gets them.
#pragma once

#include <optional>  // optional

#include "report_memory.hpp"  // block_use
#include "report_units.hpp"   // program_with_plan

namespace stg::detail::explained {

/// Training is one thing in two programs; units of the gradient count on after the forward program's.
struct training_halves {
  program_with_plan forward, gradient;
};

/// What is not there is empty: no prologue without fixed inputs, no training without trainable ones.
struct planned_programs {
  explicit planned_programs(const compiled_programs& all);

  program_with_plan inference;
  std::optional<program_with_plan> inference_prologue, training_prologue;
  std::optional<training_halves> training;
};

block_use inference_memory_of(const compiled_programs& all, const planned_programs& planned);
block_use training_memory_of(const compiled_programs& all, const planned_programs& planned);
block_use prologue_memory_of(const placed_prologue& once, const program_with_plan& planned);

/// For each statement of the gradient the forward statement that computes the same, or no_value.
sequence<value_id> same_in_forward(ir::program forward, const ir::program& gradient,
                                   const sequence<pass::connection>& connections);
/// Whether the gradient computes what the forward program has computed already.
bool is_computed_again(const ir::program& gradient, value_id at, const sequence<value_id>& same);

}  // namespace stg::detail::explained
