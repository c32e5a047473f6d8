// Class labels declared as real numbers.
// build error: stg: cross_entropy takes labels of type i32: vertex_feature<"label", i32>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label">;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(x), v(label), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
