// A vertex feature of four axes, and a fifth for the steps.
// build error: stg: a vertex or edge feature over steps has at most three axes; multiply some of them
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto y = stg::over<"T">(stg::vertex_feature<"y", 2, 2, 2, 2>);  // <- here
constexpr auto model = [](auto v) {
  return v(h0);
};
auto compiled = stg::compile<model>();
