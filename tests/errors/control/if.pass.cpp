// The twin of if.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return select(v(x) > v(y), v(x), v(y));
};
auto compiled = stg::compile<model>();
