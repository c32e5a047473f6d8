// The twin of in_a_step.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::scalar<"x">);
constexpr auto body = [](auto v, auto s) {
  return s + v(x);
};
constexpr auto model = [](auto v) {
  return stg::sum_over_ranks<"s">(v, stg::scan<"T">(v, body, 0.0));
};
auto compiled = stg::compile<model>();
