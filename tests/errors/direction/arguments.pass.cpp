// The twin of arguments.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return NAME(sum(in.src(x)), sum(out.dst(x)));
};
auto compiled = stg::compile<model>();
