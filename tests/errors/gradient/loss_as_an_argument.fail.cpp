// A loss as an argument.
// build error: stg: a loss is a template argument, constexpr at namespace scope: stg::value_and_grad<loss>\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto step = stg::value_and_grad(loss);  // <- here
