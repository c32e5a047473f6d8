// Numbers in place of a parameter.
// build error: stg: a layer takes parameters, which are bound when it is called: parameter<"W", 8, 16>
#include <vector>

#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
const std::vector<float> T(256);
constexpr auto model = [](auto v) {
  return stg::nn::gcn_conv(v, v(x), T);  // <- here
};
auto compiled = stg::compile<model>();
