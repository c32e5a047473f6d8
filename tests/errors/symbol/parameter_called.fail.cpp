// A table that is called in place of indexed.
// build error: stg: a parameter is not called; a row of it is E\[v\(id\)\], a product matmul\(x, W\)
#include <stg/stg.hpp>

inline constexpr auto id = stg::vertex_feature<"id", stg::i32>;
inline constexpr auto E = stg::embedding<"E", 100, 16>;
constexpr auto model = [](auto v) {
  return relu(E(v(id)));  // <- here
};
auto compiled = stg::compile<model>();
