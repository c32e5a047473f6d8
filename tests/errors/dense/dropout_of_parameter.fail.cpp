// Dropout of a parameter.
// build error: stg: dropout takes a vertex or edge value, not one of the whole graph
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), dropout(v(W), 0.5));  // <- here
};
auto compiled = stg::compile<model>();
