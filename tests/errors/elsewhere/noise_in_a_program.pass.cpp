// The twin of noise_in_a_program.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto noise = stg::vertex_feature<"noise", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h + v(noise);
};
auto compiled = stg::compile<model>();
