// The twin of fixed_symbol.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};

auto peak = stg::peak_bytes<model>({.vertices = 10, .edges = 20}, stg::fixed<x>());
