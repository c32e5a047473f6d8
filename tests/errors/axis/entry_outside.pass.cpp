// The twin of entry_outside.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto S = stg::parameter<"S", 3, 16>;
constexpr auto model = [](auto v) {
  return v(x) * S[2];
};
auto compiled = stg::compile<model>();
