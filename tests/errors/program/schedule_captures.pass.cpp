// The twin of schedule_captures.fail.cpp.
#include <stg/schedule.hpp>
#include <stg/stg.hpp>

auto by() {
  const auto words = [](auto s) {
    s.choose({.few_numbers = 3});
  };
  return stg::scheduled(words);
}
