// The twin of two_arguments.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto layer = [](auto v, auto h) {
  return mean(v.in_edges().src(h));
};
constexpr auto model = [](auto v) {
  return layer(v, v(x));
};
auto compiled = stg::compile<model>();
