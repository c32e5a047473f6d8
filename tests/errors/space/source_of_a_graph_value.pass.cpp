// The twin of source_of_a_graph_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return stg::tanh(v(x) + mean(v.in_edges().src(h)));
      },
      stg::zeros<8>(v));
};
auto compiled = stg::compile<model>();
