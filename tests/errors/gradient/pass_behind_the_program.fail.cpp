// A pass of one's own, which calls take, given to training.
// build error: stg: behind the program stand inputs whose gradients are wanted; a pass goes with the program: with<f, pass>
// each NAME: value_and_grad compile_for_training
#include <stg/examine.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::parameter<"b", 16>;
constexpr auto loss = [](auto v) {
  return mse(v(x), v(b));
};
constexpr auto pass = [](const stg::ir::program& p) {
  return p;
};
auto trained = stg::NAME<loss, pass>();  // <- here
