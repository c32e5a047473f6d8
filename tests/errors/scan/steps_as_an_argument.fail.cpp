// The number of steps as an argument.
// build error: stg: scan takes the number of steps in its brackets: scan<12>\(v, body, h\), scan<"T">\(v, body, h\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
inline constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan(12, v, body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
