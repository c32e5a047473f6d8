// A scope that nothing was written in.
// build error: stg: keep<\.\.\.> or stored_as<\.\.\.> names no scope and no value; write scope<\.\.\.>\(v, layer, \.\.\.\), named<\.\.\.>\(x\)
// names: conv2
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto layer = [](auto v, auto h) {
  return tanh(matmul(mean(v.in_edges().src(h)), W));
};
constexpr auto model = [](auto v) {
  stg::keep<"conv2">(v, stg::keeping::inputs);
  return stg::scope<"conv1">(v, layer, v(x));
};
auto compiled = stg::compile_for_training<model>();  // <- here
