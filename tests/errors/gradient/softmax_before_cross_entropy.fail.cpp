// The softmax of logits, of which cross_entropy takes the softmax.
// build error: stg: cross_entropy takes logits, and softmax is part of it; write cross_entropy\(y, v\(label\)\) without softmax
// names: label
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(softmax(matmul(v(x), W), stg::axis<0>), v(label), v(known));
};
auto step = stg::value_and_grad<loss>();  // <- here
