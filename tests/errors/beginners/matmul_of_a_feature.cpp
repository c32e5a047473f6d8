// A product of a feature that was not read.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto model = [](auto v) {
  return matmul(x, W);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
