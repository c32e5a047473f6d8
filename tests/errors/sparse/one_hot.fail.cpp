// one_hot of a sparse feature.
// build error: stg: one_hot takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::one_hot<7>(v(words));  // <- here
};
auto compiled = stg::compile<model>();
