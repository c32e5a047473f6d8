// A function without its second argument.
// build error: stg: NAME takes other arguments: NAME.*
// each NAME: clamp pow hypot cross_entropy nll bce_with_logits mse l1 huber dropout matmul linear training select concat<stg::axis<0>>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::NAME(v(x));  // <- here
};
auto compiled = stg::compile<model>();
