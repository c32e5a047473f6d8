// A body that does not take what is carried.
// build error: stg: the body of a scan takes the vertex and a value for each initial one: \[\]\(auto v, auto h\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto v) {
  return stg::tanh(v(x));
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
