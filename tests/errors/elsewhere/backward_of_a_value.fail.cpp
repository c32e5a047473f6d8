// A loss differentiated inside of its program.
// build error: stg: gradients are those of a program that is a loss; write stg::value_and_grad<loss>\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target)).backward();  // <- here
};
auto step = stg::value_and_grad<loss>();
