// The twin of value_for_number_of_leaky_relu.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return leaky_relu(v(x), 0.2);
};
auto compiled = stg::compile<model>();
