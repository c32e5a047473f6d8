// Edge values that are to be computed apart.
// build error: stg: together and apart are refused for edge values and sources, made where read; pair their sums
// names: score
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto score = stg::named<"score">(exp(v.in_edges().src(x))), other = tanh(v.in_edges().src(x));
  apart(score, other);
  return sum(score) * sum(other);
};
auto compiled = stg::compile<model>();  // <- here
