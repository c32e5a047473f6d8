// A feature that was not read, given by a step.
// build error: stg: the body of a scan gives back computed values: return next\(h\)\.gives\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto body = [](auto v, auto h) {
  return stg::next(h + v(x)).gives(label);
};
constexpr auto model = [](auto v) {
  auto [h, y] = stg::scan<"T">(v, body, v(h0));  // <- here
  return h;
};
auto compiled = stg::compile<model>();
