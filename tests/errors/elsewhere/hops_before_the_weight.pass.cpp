// The twin of hops_before_the_weight.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return stg::nn::sgc(v, v(x), W, 2);
};
auto compiled = stg::compile<model>();
