// Steps between checkpoints as a bare number.
// build error: stg: checkpoint takes every so many steps, or bytes: step\.checkpoint\(\{\.every = 10\}\)
// each NAME: step recorder
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto step = stg::value_and_grad<loss>();
auto recorder = stg::compile_for_training<loss>();

void set() {
  NAME.checkpoint(10);  // <- here
}
