// A softmax along an axis that the value does not have.
// build error: stg: softmax\(x, axis<i>\) takes one of the value's feature axes; axis<0> is the first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return softmax(v(x), stg::axis<1>);  // <- here
};
auto compiled = stg::compile<model>();
