// The twin of pair_other_edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto in = sum(v.in_edges().src(x)), out = stg::named<"out">(sum(v.out_edges().dst(x)));
  apart(in, out);
  return in * out;
};
auto compiled = stg::compile<model>();
