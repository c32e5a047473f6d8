// A pass that gives an input another name, by which no call binds it.
// build error: stg: a pass leaves inputs in their places, with their names; what is not read any more may stay
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) + v(x);
};
constexpr auto changed = [](stg::ir::program p) {
  p.inputs[0].name = stg::text("y");
  return p;
};
auto compiled = stg::compile<model, changed>();  // <- here
