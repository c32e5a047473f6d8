// The twin of exchanges_nothing.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto layer = [](auto v, auto h) {
  return tanh(matmul(mean(v.in_edges().src(h)), W));
};
constexpr auto model = [](auto v) {
  stg::merge_exchanges<"towers">(v);
  return stg::scope<"towers">(v, layer, v(x));
};
auto compiled = stg::compile<model>();
