// Scan: state changes its width.
// names: matmul
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
inline constexpr auto h0 = stg::vertex_feature<"h0", 16>;
inline constexpr auto W = stg::parameter<"W", 8, 16>;
inline constexpr auto U = stg::parameter<"U", 16, 16>;
inline constexpr auto r = stg::parameter<"r", 16, 1>;
inline constexpr auto model = [](auto v) {
  return stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return tanh(matmul(v(x), W) + matmul(mean(v.in_edges().src(h)), U));  // <- here
      },
      stg::zeros<8>(v));
};
int main() {
  const auto graph = stg::karate_club().graph;
  const stg::tensor<float> X({12, 34, 8}), H({34, 16});
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  auto out = stg::compile<model>()(graph, x = X, params);
}
