// The sentences about waits that do not end.
#include <string>  // string, to_string

#include <stg/base/error.hpp>  // error

#include "wait_watch.hpp"

namespace stg::detail {

namespace {

std::string named(int rank) { return "rank " + std::to_string(rank); }
std::string seconds(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
}

}  // namespace

void wait_watch::judge(std::uint64_t pulses, int busy) {
  const clock::time_point now = clock::now();
  if (!any_ || pulses != pulses_) moved_ = now;
  any_ = true;
  pulses_ = pulses;
  const auto silent = now - moved_;
  const bool is_over = busy < 0 ? silent > limits_.patience : silent > limits_.silence;
  if (!is_over && (busy < 0 || now - begun_ <= limits_.longest_work)) return;
  const std::string waited =
      named(mine_.rank()) + " waited for " + to_string(mine_.waits_for()) + (from_ < 0 ? "" : " from " + named(from_));
  if (busy < 0) throw error(waited + " for " + seconds(limits_.patience) + ", in vain: each rank waits for another");
  if (is_over) throw error(named(busy) + " has stood still for " + seconds(limits_.silence) + " while " + waited);
  throw error(named(busy) + " has computed for " + seconds(limits_.longest_work) + " while " + waited +
              "; a larger longest_work waits longer");
}

void wait_watch::refuse_returned() const {
  throw error(named(from_) + " has returned from its work while " + named(mine_.rank()) + " waited for " +
              to_string(mine_.waits_for()) + "; all ranks make the same calls in the same order");
}

}  // namespace stg::detail
