// A lambda that is local to a function and not static: it has no address that a template could take.
// build error: stg: a program is a constant with a name; write static constexpr auto model = \.\.\., or constexpr outside
// each NAME: compile compile_for_training value_and_grad parameters explain to_dot
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto b = stg::parameter<"b", 16>;
void use() {
  constexpr auto model = [](auto v) {
    return mse(v(x), v(b));
  };
  auto made = stg::NAME<model>();  // <- here
}
