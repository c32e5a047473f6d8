// The number of hops before the weight.
// build error: stg: sgc takes the weight, then the number of hops: sgc\(v, v\(x\), W, 2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return stg::nn::sgc(v, v(x), 2, W);  // <- here
};
auto compiled = stg::compile<model>();
