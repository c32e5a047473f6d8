// The twin of breaks_a_rule_in_training.fail.cpp.
#include <stg/stg.hpp>
#include <stg/examine.hpp>

constexpr auto x = stg::parameter<"x", 4>;
constexpr auto model = [](auto v) {
  return v(x) + v(x);
};
constexpr auto changed = [](stg::ir::program p) {
  p.statements[p.outputs[0].at].code = stg::ir::opcode::mul;
  return p;
};
auto step = stg::compile_for_training<stg::with<model, changed>>();
