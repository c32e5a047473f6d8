// A bias of another width.
// names: b
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 16>;
inline constexpr auto b = stg::parameter<"b", 8>;
inline constexpr auto model = [](auto v) {
  return matmul(v(x), W) + b;  // <- here
};
int main() { auto layer = stg::compile<model>(); }
