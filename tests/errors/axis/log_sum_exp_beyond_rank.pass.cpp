// The twin of log_sum_exp_beyond_rank.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return log_sum_exp(v(x), stg::axis<0>, stg::keepdim);
};
auto compiled = stg::compile<model>();
