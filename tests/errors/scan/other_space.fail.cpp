// A carried value that begins as one for the graph and goes on as one for each vertex.
// build error: stg: a carried value lives elsewhere after a step; begin with one that lives there: zeros<16>\(v\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, stg::zeros<8>());  // <- here
};
auto compiled = stg::compile<model>();
