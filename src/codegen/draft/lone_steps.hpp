// Some steps of a sweep as a plan of their own, run by the library's kernels: of a draft, or of a compiled program.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data

#include "../lone_plan.hpp"  // lone_plan
#include "block.hpp"         // column_range

namespace stg::drafts {

class lone_steps {
 public:
  /// kept: further values that are to lie in memory.
  lone_steps(const plan_data& of, int unit, int first_step, int last_step, const sequence<int>& kept);
  lone_steps(const lone_steps&) = delete;
  lone_steps& operator=(const lone_steps&) = delete;

  bool any() const { return lone_.unit.first_step < lone_.unit.last_step; }
  /// Bytes of workspace that a call needs.
  std::int64_t workspace(const codegen::launch& l) const;
  /// Runs them for all rows of a call.
  void run(const codegen::launch& l) { run(l, {}, nullptr); }
  /// The same for a range of columns. narrow: the plan's statements, where values have no more than these.
  void run(const codegen::launch& l, const column_range& columns, const sequence<ir::statement>* narrow);

 private:
  template <class Body> void each_loop(const Body& body) const;
  int readers_of(int value) const;
  void find_weighted();
  void find_read();

  codegen::lone_plan lone_;
  plan_data& data_ = lone_.data;
  ir::flags read_;
  std::vector<weighted_sum> weighted_{};
};

}  // namespace stg::drafts
