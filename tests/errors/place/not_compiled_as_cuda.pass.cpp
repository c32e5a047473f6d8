// The same on the CPU, which every file has kernels for.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(v(x)));
};

auto layer = stg::compile<model>();
