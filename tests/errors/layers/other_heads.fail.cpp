// Attention whose matrix has not as many columns as its heads.
// build error: stg: attention takes W with heads \* dim columns, where a is \(heads, dim\); these differ
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 32>;
inline constexpr auto s = stg::parameter<"s", 8, 4>;
inline constexpr auto t = stg::parameter<"t", 8, 8>;
constexpr auto model = [](auto v) {
  return stg::nn::gat_conv(v, v(x), W, t, t);  // <- here
};
auto compiled = stg::compile<model>();
