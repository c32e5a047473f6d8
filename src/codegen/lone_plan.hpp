// Some steps of a unit as a plan of their own.
#pragma once

#include <vector>  // vector

#include <stg/base/sequence.hpp>      // sequence
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::codegen {

/// A plan of steps [first, last) of a unit, which lie in memory that is theirs alone.
struct lone_plan {
  /// kept: further values that are to lie in memory.
  lone_plan(const plan_data& of, int of_unit, int first_step, int last_step, const sequence<int>& kept)
      : stored(of.stored, of.stored + of.size), unit(of.units[of_unit]), data(of) {
    for (const int i : kept) stored[static_cast<std::size_t>(i)] = 1;
    unit.first_step = first_step;
    unit.last_step = last_step;
    data.stored = stored.data();
    data.units = &unit;
    data.unit_count = 1;
  }
  lone_plan(const lone_plan&) = delete;
  lone_plan& operator=(const lone_plan&) = delete;

  std::vector<unsigned char> stored;
  pass::planned_unit unit;
  plan_data data;
};

}  // namespace stg::codegen
