// A run of a unit, as a timeline notes it.
#pragma once

#include <chrono>   // steady_clock
#include <cstdint>  // uint64_t

#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::codegen {

/// Which program a plan is of, among those that a timeline has seen.
std::uint64_t number_in_timeline(const plan_data& plan) noexcept;

/// From here to the end of its scope, if there is a timeline. l: the call, as the program has it.
class timed_unit {
 public:
  timed_unit(const plan_data& plan, int unit, const launch& l) noexcept;
  timed_unit(const timed_unit&) = delete;
  timed_unit& operator=(const timed_unit&) = delete;
  ~timed_unit();

 private:
  const plan_data* plan_ = nullptr;  // null: nothing is noted
  int unit_;
  const launch* l_;
  std::chrono::steady_clock::time_point begun_{};
};

}  // namespace stg::codegen
