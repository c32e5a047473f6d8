// The twin of scale_of_pair_norm.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::pair_norm(v(x), 1, stg::nn::lengths::alone);
};
auto compiled = stg::compile<model>();
