// A rank below 0.
// build error: stg: ranks are numbered from 0; next_rank\(\) and previous_rank\(\) count from this one
// names: send
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  stg::send<"h">(v, W, stg::at_rank(-1));
  return sum(W, stg::axis<0>);
};
auto compiled = stg::compile<model>();  // <- here
