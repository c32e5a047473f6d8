// The twin of concat.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  return stg::concat<stg::axis<0>>(v(x), v(y));
};
auto compiled = stg::compile<model>();
