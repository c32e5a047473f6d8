// The twin of of_no_value.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::sum_over_ranks<"h">(v, W);
};
auto compiled = stg::compile<model>();
