// The twin of rank_below_0.fail.cpp.
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  stg::send<"h">(v, W, stg::previous_rank());
  return sum(W, stg::axis<0>);
};
auto compiled = stg::compile<model>();
