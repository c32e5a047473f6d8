// A loop that writes more statements than a compiler takes for one constant.
// build error: stg: the lambda is larger than a compiler's limit; raise -fconstexpr-ops-limit= \(clang: -fconstexpr-steps=\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
#ifdef __clang__  // which takes fewer steps for one constant
constexpr int hops = 1500;
#else
constexpr int hops = 6000;
#endif
constexpr auto model = [](auto v) {
  auto h = v(x);
  for (int hop = 0; hop < hops; ++hop) h = tanh(h + sum(v.in_edges().src(h)) * (1.0 + hop));
  return h;
};
auto compiled = stg::compile<model>();  // <- here
