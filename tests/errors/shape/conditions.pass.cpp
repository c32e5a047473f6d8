// The twin of conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) & (sum(v(y), stg::axis<0>) > 0.0), v(x), 0.0);
};
auto compiled = stg::compile<model>();
