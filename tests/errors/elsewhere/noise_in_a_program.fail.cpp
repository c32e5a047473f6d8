// Noise that a program draws.
// build error: stg: a program draws no numbers but dropout's; bind noise as a feature: v\(noise\)
// each NAME: uniform normal
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto noise = stg::vertex_feature<"noise", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h + NAME(h, -1, 1);  // <- here
};
auto compiled = stg::compile<model>();
