// The twin of stored_in_select.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  return select(v(x) > 0.0, h, -h);
};
auto compiled = stg::compile<model>();
