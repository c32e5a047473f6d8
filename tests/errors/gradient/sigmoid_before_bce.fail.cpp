// The sigmoid of logits, of which bce_with_logits takes the sigmoid.
// build error: stg: bce_with_logits takes logits, and sigmoid is part of it; write bce_with_logits\(y, t\) without sigmoid
// names: target
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return bce_with_logits(sigmoid(matmul(v(x), W)), v(target));
};
auto step = stg::value_and_grad<loss>();  // <- here
