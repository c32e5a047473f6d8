// The twin of stacked_of_four.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto S = stg::parameter<"S", 2, 2, 4>;
constexpr auto model = [](auto v) {
  return sum(stg::stacked(stg::scan<"T">(v,
                                         [](auto v) {
                                           return tanh(v(S));
                                         })),
             stg::axis<0>);
};
auto compiled = stg::compile<model>();
