// The same within a layer of the library.
// names: W
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 16, 8>;
inline constexpr auto model = [](auto v) {
  return stg::nn::gcn_conv(v, v(x), W);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
