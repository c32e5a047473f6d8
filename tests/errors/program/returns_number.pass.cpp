// The twin of returns_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return 0.0 * v(x) + 1.0;
};
auto compiled = stg::compile<model>();
