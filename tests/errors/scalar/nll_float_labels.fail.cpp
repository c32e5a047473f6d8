// Labels of a real type.
// build error: stg: nll takes labels of type i32: vertex_feature<"label", i32>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto label = stg::vertex_feature<"label">;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(x)), v(label), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
