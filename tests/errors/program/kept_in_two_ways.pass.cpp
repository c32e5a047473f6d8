// The twin of kept_in_two_ways.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  auto h = stg::saved(matmul(v(x), W));
  return stg::recomputed(tanh(h));
};
auto compiled = stg::compile_for_training<model>();
