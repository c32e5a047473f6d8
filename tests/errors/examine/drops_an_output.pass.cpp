// The twin of drops_an_output.fail.cpp.
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return stg::outputs(v(x) + v(x), exp(v(x)));
};
constexpr auto changed = [](stg::ir::program p) {
  p.outputs[1].at = p.outputs[0].at;
  return p;
};
auto compiled = stg::compile<model, changed>();
