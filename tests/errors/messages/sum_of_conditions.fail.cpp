// A sum over ranks of conditions.
// build error: stg: sum_at_rank takes numbers; write cast<f32>\(x\)
#include <stg/dsl/messages.hpp>
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::sum_at_rank<"h">(v, W > 0, stg::at_rank(0));  // <- here
};
auto compiled = stg::compile<model>();
