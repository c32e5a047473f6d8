// The twin of gates_side_by_side.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 8, 24>;
constexpr auto U = stg::parameter<"U", 8, 24>;
constexpr auto b = stg::parameter<"b", 24>;
constexpr auto model = [](auto v) {
  return stg::nn::gru{W, U, b}(v, v(x), v(x));
};
auto compiled = stg::compile<model>();
