// A local lambda that captures a number of run time: no template can take it.
// shown: stg: a program captures nothing; bind a number as scalar<"n">
// each NAME: compile compile_for_training value_and_grad parameters explain to_dot
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::parameter<"b", 16>;

void use(double factor) {
  auto model = [factor](auto v) {
    return mse(v(x) * factor, v(b));
  };
  auto made = stg::NAME<model>();  // <- here
}
