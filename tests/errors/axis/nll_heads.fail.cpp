// Log-probabilities with two axes.
// build error: stg: nll takes log-probabilities with one axis, the classes; write reshape<n>\(x\)
#include <stg/stg.hpp>

constexpr auto q = stg::vertex_feature<"q", 8, 4>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(q)), v(label));  // <- here
};
auto compiled = stg::compile<model>();
