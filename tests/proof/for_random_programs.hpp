// Going through random programs in a test, until one fails.
#pragma once

#include "choices.hpp"          // choices
#include "random_programs.hpp"  // random_program, number_from

#include <stg/ir/print.hpp>      // to_text
#include <stg/op/operation.hpp>  // rule_is_broken

#include <gtest/gtest.h>  // SCOPED_TRACE

#include <cstdint>    // uint64_t
#include <exception>  // exception
#include <iostream>   // cout
#include <string>     // string, to_string

namespace stg::test {

/// Calls check(seed of its own) for as many programs as the environment's `variable` says, `otherwise` so many, until
/// one fails, as by an exception. STG_SEED chooses others. Returns how many were wanted.
template <class Check> long for_random_seeds(const char* variable, long otherwise, const Check& check) {
  const long wanted = number_from(variable, otherwise);
  const auto seed = static_cast<std::uint64_t>(number_from("STG_SEED", 1));
  std::cout << "STG_SEED=" << seed << ": " << wanted << " random programs\n";
  for (long k = 0; k < wanted && !testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE("STG_SEED=" + std::to_string(seed) + ", program " + std::to_string(k));
    try {
      check(seed * 1'000'003u + static_cast<std::uint64_t>(k));
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    } catch (const op::rule_is_broken& e) {
      ADD_FAILURE() << "a pass breaks rule " << static_cast<int>(e.what);
    }
  }
  return wanted;
}
/// The same of check(draw(choices), choices).
template <class Draw, class Check>
long for_random_programs(const char* variable, long otherwise, const Draw& draw, const Check& check) {
  return for_random_seeds(variable, otherwise, [&](std::uint64_t seed) {
    choices c(seed);
    const random_program r = draw(c);
    SCOPED_TRACE(std::string("on ") + all_families()[r.family].name + "\n" + ir::to_text(r.program));
    check(r, c);
  });
}

}  // namespace stg::test
