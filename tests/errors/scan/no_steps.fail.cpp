// A number of steps that is none.
// build error: stg: scan takes the number of steps: scan<12>\(v, body, h\), or an extent's name: scan<"T">
#include <stg/stg.hpp>

constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto body = [](auto, auto h) {
  return stg::tanh(h);
};
constexpr auto model = [](auto v) {
  return stg::scan<0>(v, body, v(h0));  // <- here
};
auto compiled = stg::compile<model>();
