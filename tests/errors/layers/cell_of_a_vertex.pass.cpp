// The twin of cell_of_a_vertex.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto b = stg::parameter<"b", 16>;
inline constexpr auto p = stg::parameter<"p", 3, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::propagate(v, matmul(v(x), W) + b);
};
auto compiled = stg::compile<model>();
