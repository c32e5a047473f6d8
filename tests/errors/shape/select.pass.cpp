// The twin of select.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), v(x), concat<stg::axis<0>>(v(y), v(y)));
};
auto compiled = stg::compile<model>();
