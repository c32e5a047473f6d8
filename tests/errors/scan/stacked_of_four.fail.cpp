// Steps in front of four axes.
// build error: stg: stacked puts the steps in front of at most three axes
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto S = stg::parameter<"S", 2, 2, 2, 2>;
constexpr auto model = [](auto v) {
  return sum(stg::stacked(stg::scan<"T">(v,
                                         [](auto v) {
                                           return tanh(v(S));
                                         })),
             stg::axis<0>);  // <- here
};
auto compiled = stg::compile<model>();
