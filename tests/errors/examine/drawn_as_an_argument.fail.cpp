// A lambda as an argument where it is drawn.
// build error: stg: what is drawn is a template argument: stg::to_dot<model>\(\), of the lambda
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
const auto text = stg::to_dot(loss);  // <- here
