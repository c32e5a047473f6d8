// The twin of typed_argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return 2.0 * v(x);
};
auto compiled = stg::compile<model>();
