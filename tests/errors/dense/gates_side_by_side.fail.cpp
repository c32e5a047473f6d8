// Gates that do not share their columns equally.
// build error: stg: a cell's gates stand side by side, all as wide as its state
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 25>;
constexpr auto U = stg::parameter<"U", 8, 24>;
constexpr auto b = stg::parameter<"b", 25>;
constexpr auto model = [](auto v) {
  return stg::nn::gru{W, U, b}(v, v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
