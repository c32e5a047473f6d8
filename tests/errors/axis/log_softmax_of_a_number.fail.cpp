// log_softmax of one number.
// build error: stg: log_softmax takes a value with feature axes; axis<0> is the first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return log_softmax(sum(v(x), stg::axis<0>));  // <- here
};
auto compiled = stg::compile<model>();
