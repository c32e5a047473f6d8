// The twin of half_a_propagation.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::propagate_times(v, v(x), 2);
};
auto compiled = stg::compile<model>();
