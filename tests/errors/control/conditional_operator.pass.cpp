// The twin of conditional_operator.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select(v(x) > 0.0, v(x), -v(x));
};
auto compiled = stg::compile<model>();
