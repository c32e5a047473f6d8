// The twin of exchanged.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::nn::gcn_conv(v, v(x), W);
};
auto compiled = stg::compile<model>();
