// A number of hops that is not whole.
// build error: stg: sgc takes a whole number of hops: sgc\(v, v\(x\), W, 2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return stg::nn::sgc(v, v(x), W, 2.5);  // <- here
};
auto compiled = stg::compile<model>();
