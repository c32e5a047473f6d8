// A carried value that grows.
// build error: stg: a carried value has another shape after a step; begin with one of that shape: zeros<16>\(v\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto v, auto h) {
  return stg::concat<stg::axis<0>>(h, v(x));
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
