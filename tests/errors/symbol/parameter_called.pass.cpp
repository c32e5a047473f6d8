// The twin of parameter_called.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
inline constexpr auto E = stg::embedding<"E", 100, 16>;
constexpr auto model = [](auto v) {
  return relu(E[v(id)]);
};
auto compiled = stg::compile<model>();
