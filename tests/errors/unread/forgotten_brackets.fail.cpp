// A function without the constant that it takes in brackets.
// build error: stg: NAME takes a constant in brackets: NAME.*
// each NAME: concat transpose cast one_hot
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::NAME(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
