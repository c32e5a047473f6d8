// clamp of a sparse feature.
// build error: stg: clamp takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return clamp(v(words), 0.0, 1.0);  // <- here
};
auto compiled = stg::compile<model>();
