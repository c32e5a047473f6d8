// The twin of embedding_without_width.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
inline constexpr auto E = stg::embedding<"E", 1000, 16>;
constexpr auto model = [](auto v) {
  return relu(E[v(id)]);
};
auto compiled = stg::compile<model>();
