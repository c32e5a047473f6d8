// Scan: lstm with input and state exchanged.
// names: v
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
inline constexpr auto h0 = stg::vertex_feature<"h0", 16>;
inline constexpr auto W = stg::parameter<"W", 8, 16>;
inline constexpr auto U = stg::parameter<"U", 16, 16>;
inline constexpr auto r = stg::parameter<"r", 16, 1>;
inline constexpr auto I4 = stg::parameter<"I4", 8, 64>;
inline constexpr auto S4 = stg::parameter<"S4", 16, 64>;
inline constexpr auto b4 = stg::parameter<"b4", 64>;
inline constexpr auto model = [](auto v) {
  auto [h, c] = stg::scan<"T">(
      v,
      [](auto v, auto h, auto c) {
        auto s = stg::nn::lstm{I4, S4, b4}(v, h, v(x), c);  // <- here
        return stg::next(s.h, s.c);
      },
      v(h0), v(h0));
  return h;
};
int main() {
  const auto graph = stg::karate_club().graph;
  const stg::tensor<float> X({12, 34, 8}), H({34, 16});
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  auto out = stg::compile<model>()(graph, x = X, h0 = H, params);
}
