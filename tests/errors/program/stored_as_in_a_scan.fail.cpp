// Rows that a scan reads, in two bytes a number.
// build error: stg: stored_as\(x\) is refused where a scan, message or sparse product has rows of x; leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto h = stg::vertex_feature<"h", 16>;
constexpr auto body = [](auto v, auto state) {
  return tanh(v(x) + state);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, stg::stored_as<stg::bf16>(exp(v(h))));
};
auto compiled = stg::compile<model>();  // <- here
