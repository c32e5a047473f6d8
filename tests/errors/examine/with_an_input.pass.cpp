// The twin of with_an_input.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4>;
constexpr auto loss = [](auto v) {
  return mse(v(x) * W, v(x));
};
constexpr auto as_it_is = [](const stg::ir::program& p) {
  return p;
};
auto step = stg::value_and_grad<stg::with<loss, as_it_is>, W>();
