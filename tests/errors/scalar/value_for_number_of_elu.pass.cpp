// The twin of value_for_number_of_elu.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return elu(v(x), 1.0);
};
auto compiled = stg::compile<model>();
