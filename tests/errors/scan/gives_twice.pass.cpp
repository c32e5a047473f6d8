// The twin of gives_twice.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto v, auto h) {
  return stg::next(h + v(x)).gives(h, stg::tanh(h));
};
constexpr auto model = [](auto v) {
  auto [h, a, b] = stg::scan<"T">(v, body, v(h0));
  return stg::outputs(a, b);
};
auto compiled = stg::compile<model>();
