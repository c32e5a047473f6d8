// The twin of value_for_number_of_hardtanh.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return hardtanh(v(x), -1.0, 1.0);
};
auto compiled = stg::compile<model>();
