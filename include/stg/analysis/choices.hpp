// choices: the numbers that passes decide by, as one argument of the pipeline.
//
// Each was measured; none changes the results of a program, only its stored values, the place of its work and the
// number of sweeps. Passes that decide by one take it as their last argument; a number left out has its measured value.
// A program holds those that differ among its decisions, and the pipeline reads them once.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/decisions.hpp>   // STG_CHOICES, decided, drop_decisions
#include <stg/analysis/unit.hpp>  // relations_of_sweep, most_narrow_elements

namespace stg::pass {

/// The members, with what they mean, are the list STG_CHOICES (ir/decision.hpp).
///
///   constexpr pass::choices memory_first{.recomputed_cost = 40, .few_numbers = 1};
///   pipeline::differentiated(p, asked_of(p, provided, required, memory_first));
struct choices {
#define STG_CHOICE(type, name, measured) type name = measured;
  STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE

  constexpr bool operator==(const choices&) const = default;
};

/// Those of a program, frozen or not.
template <class Program> constexpr choices choices_of(const Program& p) {
  choices by;
  for (const ir::decision& d : p.decisions) {
    if (d.whom != ir::decided_of::whole) continue;
#define STG_CHOICE(type, name, measured) \
  if (d.what == ir::decided::name) by.name = static_cast<type>(d.number);
    STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
  }
  return by;
}

/// Gives a program these choices in place of its own.
constexpr ir::program with_choices(ir::program p, const choices& by) {
  const choices measured;
  ir::drop_decisions(p, [](const ir::decision& d) { return ir::is_choice(d.what) && d.whom == ir::decided_of::whole; });
#define STG_CHOICE(type, name, unused) \
  if (by.name != measured.name) p.decide(ir::of_whole(ir::decided::name, static_cast<std::int64_t>(by.name)));
  STG_CHOICES(STG_CHOICE)
#undef STG_CHOICE
  return p;
}

}  // namespace stg::pass
