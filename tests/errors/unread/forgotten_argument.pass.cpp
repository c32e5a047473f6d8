// The twin of forgotten_argument.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return clamp(v(x), -1.0, 1.0);
};
auto compiled = stg::compile<model>();
