// A scan over a number of steps without its vertex.
// build error: stg: scan takes the vertex first, then the body: scan<"T">\(v, body, zeros<16>\(v\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<3>(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
inline constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan<3>(body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
