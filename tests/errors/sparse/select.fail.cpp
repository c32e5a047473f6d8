// A sparse feature as a choice.
// build error: stg: select takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return select(v(mask), v(words), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
