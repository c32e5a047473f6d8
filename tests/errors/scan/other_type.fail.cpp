// A carried value that begins in f32 and goes on in f64.
// build error: stg: a carried value has another scalar type after a step; cast one of them
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto v, auto h) {
  return stg::cast<stg::f64>(h + v(x));
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
