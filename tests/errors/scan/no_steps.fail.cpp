// A number of steps that is none.
// build error: stg: scan takes the number of steps: scan<12>\(v, body, h\), or an extent's name: scan<"T">
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::scan<0>(
      v,
      [](auto, auto h) {
        return tanh(h);
      },
      v(h0));  // <- here
};
auto compiled = stg::compile<model>();
