// A value for each of T steps in a scan of as many as K.
// build error: stg: what has a value for each step is read in a scan over as many steps: scan<"T"> reads over<"T">
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"K">(
      v,
      [](auto v, auto h) {
        return h + v(x);
      },
      v(h0));
};
auto compiled = stg::compile<model>();  // <- here
