// The twin of pair_of_neighbours.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto first = sum(v.in_edges().src(x)), second = stg::named<"second">(sum(v.in_edges().src(first)));
  apart(first, second);
  return first * second;
};
auto compiled = stg::compile<model>();
