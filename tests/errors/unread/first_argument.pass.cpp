// The twin of first_argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x), 0.5);
};
auto compiled = stg::compile<model>();
