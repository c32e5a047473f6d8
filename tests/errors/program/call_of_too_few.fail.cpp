// A call that passes too few values.
// build error: stg: call takes a layer, the vertex, and what the layer takes: call\(f, v, v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto layer = [](auto v, auto h, auto M) {
  return tanh(matmul(h, M)) + v.in_degree();
};
constexpr auto model = [](auto v) {
  return call(layer, v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
