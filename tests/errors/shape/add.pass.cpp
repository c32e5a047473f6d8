// The twin of add.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return v(x) + concat<stg::axis<0>>(v(y), v(y));
};
auto compiled = stg::compile<model>();
