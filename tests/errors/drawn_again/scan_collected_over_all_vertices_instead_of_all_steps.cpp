// Scan: collected over all_vertices instead of all_steps.
// names: mean
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
inline constexpr auto h0 = stg::vertex_feature<"h0", 16>;
inline constexpr auto W = stg::parameter<"W", 8, 16>;
inline constexpr auto U = stg::parameter<"U", 16, 16>;
inline constexpr auto r = stg::parameter<"r", 16, 1>;
inline constexpr auto loss = [](auto v) {
  auto [last, errors] = stg::scan<"T">(
      v,
      [](auto v, auto h) {
        auto n = tanh(matmul(v(x), W) + matmul(mean(v.in_edges().src(h)), U));
        auto out = sum(matmul(n, r), stg::axis<0>);
        return stg::next(n).gives(mean(square(out - v(y)), stg::all_vertices));
      },
      stg::zeros<16>(v));
  return mean(errors, stg::all_vertices);  // <- here
};
int main() {
  const auto graph = stg::karate_club().graph;
  const stg::tensor<float> X({12, 34, 8}), Y({12, 34});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  auto now = stg::value_and_grad<loss>()(graph, x = X, y = Y, params);
}
