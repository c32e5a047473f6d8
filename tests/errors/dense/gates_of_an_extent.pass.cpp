// The twin of gates_of_an_extent.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto h = stg::vertex_feature<"h", 4>;
constexpr auto W = stg::parameter<"W", 8, 12>;
constexpr auto U = stg::parameter<"U", 4, 12>;
constexpr auto b = stg::parameter<"b", 12>;
constexpr auto model = [](auto v) {
  return stg::nn::gru{W, U, b}(v, v(x), v(h));
};
auto compiled = stg::compile<model>();
