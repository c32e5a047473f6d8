// A gated graph network narrower than what it reads.
// build error: stg: gated_graph takes features that are at most as wide as its state
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 4, 4>;
constexpr auto U = stg::parameter<"U", 4, 12>;
constexpr auto b = stg::parameter<"b", 12>;
constexpr auto model = [](auto v) {
  return stg::nn::gated_graph{stg::nn::gru{U, U, b}, W}(v, v(x));  // <- here
};
auto compiled = stg::compile<model>();
