// The number of a value.
// build error: stg: a value is no number while a program is traced; return it, and read what the call gives
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return sum(h, stg::axis<0>).item();  // <- here
};
auto compiled = stg::compile<model>();
