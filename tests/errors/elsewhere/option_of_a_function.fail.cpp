// An argument too many.
// build error: stg: NAME takes other arguments: NAME\(x\)
// each NAME: exp log sqrt tanh sigmoid relu
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return NAME(h, 1);  // <- here
};
auto compiled = stg::compile<model>();
