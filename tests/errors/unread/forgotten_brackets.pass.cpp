// The twin of forgotten_brackets.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::concat<stg::axis<0>>(v(x), v(x));
};
auto compiled = stg::compile<model>();
