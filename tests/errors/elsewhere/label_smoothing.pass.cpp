// The twin of label_smoothing.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return nll(log_softmax(matmul(v(x), W), stg::axis<0>), v(label), v(known));
};
auto step = stg::value_and_grad<loss>();
