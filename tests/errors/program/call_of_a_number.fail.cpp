// A called layer that gives a number.
// build error: stg: a layer that is called gives back a computed value, or several as std::tuple\(a, b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto layer = [](auto v, auto h, auto M) {
  return 2.0;
};
constexpr auto model = [](auto v) {
  return call(layer, v, v(x), W);  // <- here
};
auto compiled = stg::compile<model>();
