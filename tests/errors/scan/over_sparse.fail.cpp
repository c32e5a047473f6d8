// A sparse feature with a value for each step.
// build error: stg: a sparse feature is the same at every step; what has a value for each step is dense
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto y = stg::over<"T">(stg::sparse_feature<"y", 8>);  // <- here
constexpr auto model = [](auto v) {
  return v(h0);
};
auto compiled = stg::compile<model>();
