// The twin of inlined_sum.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(inlined(tanh(sum(v.in_edges().src(x))))));
};
auto compiled = stg::compile<model>();
