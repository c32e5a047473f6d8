// The twin of extent_and_a_number.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h + stg::full<7>(v, 0.5);
};
auto compiled = stg::compile<model>();
