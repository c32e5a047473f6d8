// A message in the step of a scan.
// build error: stg: a message stands in the lambda of the program itself, not in a scan's step or a called layer
// names: sum_at_rank
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::scalar<"x">);
constexpr auto body = [](auto v, auto s) {
  return stg::sum_over_ranks<"s">(v, s + v(x));
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, 0.0);
};
auto compiled = stg::compile<model>();  // <- here
