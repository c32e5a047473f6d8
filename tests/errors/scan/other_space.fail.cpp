// A carried value that begins as one for the graph and goes on as one for each vertex.
// build error: stg: a carried value lives elsewhere after a step; begin with one that lives there: zeros<16>\(v\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return tanh(v(x) + h);
      },
      stg::zeros<8>());  // <- here
};
auto compiled = stg::compile<model>();
