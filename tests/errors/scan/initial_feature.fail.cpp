// A feature that was not read as the initial value.
// build error: stg: a scan begins with computed values or numbers, behind its body; read the feature first: v\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto v, auto h) {
  return h + v(x);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, h0);  // <- here
};
auto compiled = stg::compile<model>();
