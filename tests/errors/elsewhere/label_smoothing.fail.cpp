// Label smoothing where the mask belongs.
// build error: stg: NAME takes a mask third, and no options: .*
// each NAME: nll cross_entropy
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return NAME(log_softmax(matmul(v(x), W), stg::axis<0>), v(label), 0.1);  // <- here
};
auto step = stg::value_and_grad<loss>();
