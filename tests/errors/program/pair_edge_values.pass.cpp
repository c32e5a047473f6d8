// The twin of pair_edge_values.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto score = sum(exp(v.in_edges().src(x))), other = sum(tanh(v.in_edges().src(x)));
  apart(score, other);
  return score * other;
};
auto compiled = stg::compile<model>();
