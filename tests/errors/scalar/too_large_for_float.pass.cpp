// The twin of too_large_for_float.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * 1e30;
};
auto compiled = stg::compile<model>();
