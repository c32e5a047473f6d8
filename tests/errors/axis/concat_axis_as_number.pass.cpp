// The twin of concat_axis_as_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(x), v(x));
};
auto compiled = stg::compile<model>();
