// The twin of long_name.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::named<"opinion">(2.0 * v(x));
};
auto compiled = stg::compile<model>();
