// A message of what is no value of the lambda.
// build error: stg: a message takes a value of the lambda, a parameter or a number
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::sum_over_ranks<"h">(v, stg::shape<16>());  // <- here
};
auto compiled = stg::compile<model>();
