// The twin of stored_as_in_a_scan.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto h = stg::vertex_feature<"h", 16>;
constexpr auto body = [](auto v, auto state) {
  return tanh(v(x) + state);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, exp(v(h)));
};
auto compiled = stg::compile<model>();
