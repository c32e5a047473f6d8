// An input whose gradient is wanted, among the passes.
// build error: stg: with<f, \.\.\.> takes passes, which give a program for a program, and pass::choices; inputs stand behind it
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4>;
constexpr auto loss = [](auto v) {
  return mse(v(x) * W, v(x));
};
auto step = stg::value_and_grad<stg::with<loss, W>>();  // <- here
