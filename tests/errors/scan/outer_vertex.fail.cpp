// The vertex around the scan reads what the step carries.
// build error: stg: in the body of a scan values are read through its own vertex: \[\]\(auto v, auto h\) \{ \.\.\. v\(x\) \.\.\. \}
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [=](auto u, auto h) {
        return mean(v.in_edges().src(h)) + u(x);
      },
      v(h0));
};
auto compiled = stg::compile<model>();  // <- here
