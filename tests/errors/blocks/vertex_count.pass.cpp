// The number of vertices of a graph that was sampled.
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto n = stg::scalar<"n">;
constexpr auto model = [](auto v) {
  return matmul(mean(v.in_edges().src(x)), W) / v(n);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::compile<model>()(on, x = X, W = w, n = 1000);
}
