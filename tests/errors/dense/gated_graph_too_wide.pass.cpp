// The twin of gated_graph_too_wide.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto U = stg::parameter<"U", 8, 24>;
constexpr auto b = stg::parameter<"b", 24>;
constexpr auto model = [](auto v) {
  return stg::nn::gated_graph{stg::nn::gru{U, U, b}, W}(v, v(x));
};
auto compiled = stg::compile<model>();
