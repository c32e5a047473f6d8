// printf in a lambda, which is called when no number is known.
// build error: stg: a lambda runs while compiling: no printf, and what it reads is constexpr or bound: scalar<"a">
#include <stg/stg.hpp>

#include <cstdio>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  std::printf("here");
  return relu(v(x));
};
auto compiled = stg::compile<model>();  // <- here
