// The twin of too_large.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  for (int hop = 0; hop < 8; ++hop) h = tanh(h + sum(v.in_edges().src(h)) * (1.0 + hop));
  return h;
};
auto compiled = stg::compile<model>();
