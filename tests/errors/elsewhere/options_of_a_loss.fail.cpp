// An option of a loss of PyTorch.
// build error: stg: NAME takes a mask third, and no options: .*
// each NAME: mse l1 bce_with_logits
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return NAME(matmul(v(x), W), v(target), "sum");  // <- here
};
auto step = stg::value_and_grad<loss>();
