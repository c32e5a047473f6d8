// A schedule that takes something along.
// build error: stg: scheduled takes a lambda without captures; what differs is said by a schedule of its own
#include <stg/schedule.hpp>
#include <stg/stg.hpp>

auto by(int count) {
  const auto words = [count](auto s) {
    s.choose({.few_numbers = count});
  };
  return stg::scheduled(words);  // <- here
}
