// A value of the graph that is read at sources, as a state that begins as one.
// build error: stg: e\.src and e\.dst take a vertex value, not one of the graph; a state begins as zeros<16>\(v\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return stg::tanh(v(x) + mean(v.in_edges().src(h)));  // <- here
      },
      stg::zeros<8>());
};
auto compiled = stg::compile<model>();
