// A function of a sparse feature and a number.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: fmod pow training binary
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(words), 0.5);  // <- here
};
auto compiled = stg::compile<model>();
