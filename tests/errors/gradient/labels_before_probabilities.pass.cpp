// The twin of labels_before_probabilities.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(x)), v(label));
};
auto compiled = stg::compile<model>();
