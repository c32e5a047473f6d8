// A cell whose state is as wide as a run-time extent.
// build error: stg: a cell's gates are as wide as a number says; declare its parameters with integers
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto F = stg::extent<"F">;
constexpr auto h = stg::vertex_feature<"h", F>;
constexpr auto W = stg::parameter<"W", 8, 3 * F>;
constexpr auto U = stg::parameter<"U", F, 3 * F>;
constexpr auto b = stg::parameter<"b", 3 * F>;
constexpr auto model = [](auto v) {
  return stg::nn::gru{W, U, b}(v, v(x), v(h));  // <- here
};
auto compiled = stg::compile<model>();
