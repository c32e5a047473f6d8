// A message with a name that a message cannot have.
// build error: stg: the name of a message has 1 to 12 letters of a to z, 0 to 9 and _, the first of a to z
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::sum_over_ranks<"the gradient">(v, W);  // <- here
};
auto compiled = stg::compile<model>();
