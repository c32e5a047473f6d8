// An absolute error between two widths.
// build error: stg: l1 takes a prediction and a target of the same shape
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return l1(v(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
