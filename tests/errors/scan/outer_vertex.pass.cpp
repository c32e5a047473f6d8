// The twin of outer_vertex.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [=](auto u, auto h) {
        return mean(u.in_edges().src(h)) + u(x);
      },
      v(h0));
};
auto compiled = stg::compile<model>();
