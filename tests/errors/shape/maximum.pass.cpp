// The twin of maximum.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return max(v(x), max(v(y), stg::axis<0>, stg::keepdim));
};
auto compiled = stg::compile<model>();
