// The twin of part_of_a_step.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto U = stg::parameter<"U", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::st_conv{W, U, W}(v, v(x), stg::zeros<8>(v), stg::zeros<8>(v)).y;
};
auto compiled = stg::compile<model>();
