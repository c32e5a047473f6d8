// The twin of axis_as_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return sum(v(h), stg::axis<1>);
};
auto compiled = stg::compile<model>();
