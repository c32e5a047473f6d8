// A pass that leaves out what the program gives back.
// build error: stg: a pass leaves outputs their number, spaces, shapes and types
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x) + v(x), exp(v(x)));
};
constexpr auto changed = [](stg::ir::program p) {
  p.outputs.pop_back();
  return p;
};
auto compiled = stg::compile<model, changed>();  // <- here
