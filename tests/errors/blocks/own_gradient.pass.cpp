// A gradient of its own that hands cotangents on along in-edges.
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
constexpr auto summed = stg::custom_gradient(
    [](auto v, auto h) {
      return sum(v.in_edges().src(h));
    },
    [](auto v, auto d, auto) {
      return sum(v.out_edges().dst(d));
    });
constexpr auto model = [](auto v) {
  return sum(sum(summed(v, matmul(v(x), W)), stg::axis<0>), stg::over_batch);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::tensor<float>& w) {
  return stg::value_and_grad<model>()(on, x = X, W = w).loss;
}
