// The twin of pass_behind_the_program.fail.cpp.
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
auto trained = stg::NAME<stg::with<loss, pass>>();
auto called = stg::compile<loss, pass>();
