// Layers: gat_conv with a_src of other heads.
// names: gat_conv
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 34, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto a_src = stg::parameter<"a_src", 8, 4>;
inline constexpr auto a_dst = stg::parameter<"a_dst", 8, 4>;
inline constexpr auto model = [](auto v) {
  return stg::nn::gat_conv(v, v(x), W1, a_src, a_dst);  // <- here
};
int main() {
  const auto data = stg::karate_club();
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  auto out = stg::compile<model>()(data.graph, x = data.features, params);
}
