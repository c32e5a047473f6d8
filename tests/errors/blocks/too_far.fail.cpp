// More hops than blocks have.
// build error: stg: blocks are of at most 60 hops; the program reads vertices that are further away
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  for (int hop = 0; hop < 61; ++hop) h = mean(v.in_edges().src(h));
  return matmul(h, W);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w);  // <- here
}
