// A body that returns nothing.
// build error: stg: the body of a scan returns nothing; it returns what goes on: return next\(h\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
inline constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
inline constexpr auto silent = [](auto v, auto h) {
  [[maybe_unused]] auto n = stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, silent, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
