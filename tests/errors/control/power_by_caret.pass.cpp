// The twin of power_by_caret.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return pow(v(x), 2);
};
auto compiled = stg::compile<model>();
