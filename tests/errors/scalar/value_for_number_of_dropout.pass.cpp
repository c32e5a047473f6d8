// The twin of value_for_number_of_dropout.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return dropout(v(x), 0.5);
};
auto compiled = stg::compile<model>();
