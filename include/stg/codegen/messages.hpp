// messages: sends, receives and joined values that a program has by hand, as its units come to them.
//
// A send goes when its unit is reached. A receive says there where the message is to lie, and is waited for before the
// first unit that reads it. Before a call ranks compare their messages (message_agreement.cpp): a message without a
// counterpart is the same error on all of them.
#pragma once

#include <cstdint>  // int64_t
#include <vector>   // vector

#include <stg/codegen/launch.hpp>     // launch
#include <stg/codegen/plan_data.hpp>  // plan_data

namespace stg::codegen {

/// The messages of one run of a plan. Most plans have none.
class messaging {
 public:
  explicit messaging(const plan_data& plan);

  void before(int unit, const launch& l) {
    if (!waits_.empty()) wait_before(unit, l);
  }
  void after(int unit, const launch& l) {
    if (has_any_ && plan_->units[unit].kind == pass::unit_kind::message) run(unit, l);
  }
  void end(const launch& l) {
    if (!waits_.empty()) wait_before(plan_->unit_count, l);
  }

 private:
  struct wait {
    int value = 0;
    int before = 0;  // a unit
  };
  void run(int unit, const launch& l);
  void wait_before(int unit, const launch& l);

  const plan_data* plan_ = nullptr;
  bool has_any_ = false;
  std::vector<wait> waits_{};  // receives under way
};

/// Whether a plan has any.
bool has_messages(const plan_data& plan);
/// Of a message's unit: its statement.
inline int message_of(const plan_data& plan, int unit) { return plan.steps[plan.units[unit].first_step].index; }

}  // namespace stg::codegen
