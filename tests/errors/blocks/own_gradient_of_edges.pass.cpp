// A gradient of its own that is bounded, of edge values that two layers read.
#include <stg/runtime/blocks.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 4>;
inline constexpr auto weight = stg::edge_feature<"weight">;
inline constexpr auto b = stg::parameter<"b">;
constexpr auto scaled = stg::custom_gradient(
    [](auto, auto s) {
      return s;
    },
    [](auto, auto d, auto) {
      return 0.5f * d;
    });
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto c = scaled(v, e(weight) * v(b));
  auto h = sum(c * e.src(x));
  return sum(sum(sum(c * e.src(h)), stg::axis<0>), stg::over_batch);
};
auto result(const stg::blocks& on, const stg::tensor<float>& X, const stg::edge_values<float>& w) {
  return stg::value_and_grad<model>()(on, x = X, weight = w, b = 1.0f).loss;
}
