// The twin of stored_operands.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  return h NAME h;
};
auto compiled = stg::compile<model>();
