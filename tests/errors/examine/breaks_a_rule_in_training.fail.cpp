// The same in training.
// build error: stg: a pass breaks a rule of programs; stg::pass::verify\(pass\(program\)\) says which one, and where
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::parameter<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) + v(x);
};
constexpr auto changed = [](stg::ir::program p) {
  p.statements[p.outputs[0].at].dims.axes[0] = stg::ir::extent(8);
  return p;
};
auto step = stg::compile_for_training<stg::with<model, changed>>();  // <- here
