// A dense product of two vertex values.
// build error: stg: matmul takes a parameter on the right; for two vertex values write sum\(a \* b, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
