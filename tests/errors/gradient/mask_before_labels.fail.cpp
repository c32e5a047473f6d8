// The mask where the labels belong, and the labels behind it.
// build error: stg: NAME takes the labels, then the mask; exchange the two
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return NAME(log_softmax(matmul(v(x), W)), v(known), v(label));  // <- here
};
auto step = stg::value_and_grad<loss>();
