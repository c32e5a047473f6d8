// The bias before the weight.
// build error: stg: linear takes the weight, then the bias; exchange the two: linear\(v\(x\), W, b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto b = stg::parameter<"b", 4>;
constexpr auto model = [](auto v) {
  return linear(v(x), b, W);  // <- here
};
auto compiled = stg::compile<model>();
