// The twin of count.fail.cpp.
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return count(v.in_edges().src(mask));
};
auto compiled = stg::compile<model>();
