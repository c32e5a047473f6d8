// A product of the graph's values of which one is a number.
// build error: stg: matmul takes a value with a feature axis and a parameter with two
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W", 1, 4>;
constexpr auto model = [](auto v) {
  return matmul(sum(v(x), stg::all_vertices), W);  // <- here
};
auto compiled = stg::compile<model>();
