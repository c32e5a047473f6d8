// A number of steps that a variable has.
// build error: stg: scan<T> takes a constant, or a name whose number each call gives: scan<"T">\(v, body, h\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
int T = 12;
constexpr auto body = [](auto, auto h) {
  return stg::tanh(h);
};
constexpr auto model = [](auto v) {
  return stg::scan<T>(v, body, v(x));  // <- here
};
auto compiled = stg::compile<model>();
