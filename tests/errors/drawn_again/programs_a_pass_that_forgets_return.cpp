// Programs: a pass that forgets return.
// names: compile
#include <stg/data/karate.hpp>
#include <stg/examine.hpp>
#include <stg/rules.hpp>
#include <stg/stg.hpp>
#include <iostream>

namespace examine = stg::examine;
namespace ir = stg::ir;
inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 8>;
inline constexpr auto model = [](auto v) {
  return relu(matmul(mean(v.in_edges().src(x)), W) / 3.0);
};
inline constexpr auto by_reciprocals = [](const ir::program& p) {
  examine::transform(p, [](const examine::copied& c) {
    if (c.code() != ir::opcode::div) return c.same();
    return c.operand(0) * (c.one() / c.operand(1));
  });
};
int main() { auto run = stg::compile<model, by_reciprocals>(); }  // <- here
