// The twin of sum_of_conditions.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::sum_at_rank<"h">(v, cast<stg::f32>(W > 0), stg::at_rank(0));
};
auto compiled = stg::compile<model>();
