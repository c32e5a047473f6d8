// A variable that is given a value of another shape.
// build error: stg: a variable keeps its shape, type and place; give the value a name: auto y = \.\.\.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  h = matmul(h, W);  // <- here
  return h;
};
auto compiled = stg::compile<model>();
