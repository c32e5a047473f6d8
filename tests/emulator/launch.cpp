// The machine of a host thread, and the comparison of two runs.
#include "emulator/launch.hpp"

#include <algorithm>  // mismatch

namespace stg::emulator::detail {

machine& this_machine() {
  thread_local machine machine;
  return machine;
}

void compare_runs(const std::vector<std::byte>& expected, const std::vector<std::byte>& got, std::uint64_t schedule) {
  if (expected == got) return;
  const auto at = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end()).first - expected.begin();
  const auto differing = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(expected.size(), got.size()); ++i) count += expected[i] != got[i];
    return count;
  };
  throw fault(fault_kind::order_dependence,
              "schedule " + std::to_string(schedule) + " gives other output than schedule 0: " +
                  std::to_string(got.size()) + " bytes beside " + std::to_string(expected.size()) + ", " +
                  std::to_string(differing()) + " of them differ, the first is byte " + std::to_string(at));
}

}  // namespace stg::emulator::detail
