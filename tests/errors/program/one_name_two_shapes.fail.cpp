// One name for two inputs of different shapes.
// build error: stg: one name is used with two shapes in a program; give the inputs two names
// instead of: rule_is_broken
#include <stg/stg.hpp>

constexpr auto own = stg::vertex_feature<"x", 16>;
constexpr auto total = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return v(own) / v(total);
};
auto layer = stg::compile<model>();  // <- here
