// Logits where log-probabilities belong.
// build error: stg: nll takes log-probabilities; write nll\(log_softmax\(y\), v\(label\)\), or cross_entropy\(y, v\(label\)\)
// names: label
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return nll(matmul(v(x), W), v(label));
};
auto step = stg::value_and_grad<loss>();  // <- here
