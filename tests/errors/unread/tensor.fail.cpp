// A tensor among the values of a program.
// build error: stg: a function of a program takes values; declare an input, bind the tensor to it, and read it: v\(x\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
const stg::tensor<float> T({16, 16});
constexpr auto model = [](auto v) {
  return relu(v(x)) + T;  // <- here
};
auto compiled = stg::compile<model>();
