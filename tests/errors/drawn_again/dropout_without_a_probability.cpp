// Dropout without a probability.
// names: dropout
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 34, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto model = [](auto v) {
  return matmul(dropout(v(x)), W1);  // <- here
};
int main() {
  const auto data = stg::karate_club();
  auto params = stg::parameters<model>();
  stg::initialize(params, 1);
  auto out = stg::compile<model>()(data.graph, x = data.features, params);
}
