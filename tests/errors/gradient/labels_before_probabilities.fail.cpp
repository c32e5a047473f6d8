// Labels before the log-probabilities.
// build error: stg: nll takes log-probabilities first, the labels behind them; exchange the two
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(v(label), log_softmax(v(x)));  // <- here
};
auto compiled = stg::compile<model>();
