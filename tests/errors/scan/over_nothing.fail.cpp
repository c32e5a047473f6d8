// An input over no steps.
// build error: stg: over takes the number of steps: a positive integer or the name of an extent, over<"T">
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto y = stg::over<0>(stg::vertex_feature<"y", 8>);  // <- here
constexpr auto model = [](auto v) {
  return v(h0);
};
auto compiled = stg::compile<model>();
