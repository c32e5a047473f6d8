// log_sum_exp along an axis that the value has not got.
// build error: stg: log_sum_exp takes one of the value's feature axes; axis<0> is the first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return log_sum_exp(v(x), stg::axis<1>, stg::keepdim);  // <- here
};
auto compiled = stg::compile<model>();
