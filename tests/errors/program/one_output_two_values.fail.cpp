// Two outputs of one name.
// build error: stg: outputs\(y = a, y = b\) gives one name to two values; declare a symbol for each
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(y = v(x), y = relu(v(x)));  // <- here
};
auto compiled = stg::compile<model>();
