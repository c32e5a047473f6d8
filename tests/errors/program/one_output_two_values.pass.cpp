// The twin of one_output_two_values.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto model = [](auto v) {
  return stg::outputs(y = v(x), z = relu(v(x)));
};
auto compiled = stg::compile<model>();
