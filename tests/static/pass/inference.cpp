// inference: dropout is the identity when a program is called plainly.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/inference.hpp>

namespace stg {

constexpr auto dropped = [](auto v) { return stg::exp(dropout(v(x), 0.5)); };
constexpr auto kept = [](auto v) { return stg::exp(v(x)); };
static_assert(pass::dce(pass::fold(pass::cse(pass::inference(trace(dropped))))) == trace(kept));
static_assert(pass::inference(trace(kept)) == trace(kept));

constexpr auto on_edges = [](auto v) { return sum(dropout(v.in_edges()(w), 0.9)); };
constexpr auto plain_edges = [](auto v) { return sum(v.in_edges()(w)); };
static_assert(pass::dce(pass::fold(pass::cse(pass::inference(trace(on_edges))))) == trace(plain_edges));

// A mask by itself, as in a forward program that gives its gradient the sum of one, is as many ones.
constexpr bool is_summed() {
  ir::program p = trace(on_edges);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::keep_mask) continue;
    ir::statement sum;
    sum.code = ir::opcode::sum_edges;
    sum.where = ir::space::vertex;
    sum.operands[0] = i;
    p.outputs.push_back(ir::output{p.append(sum), {}});
    break;
  }
  const ir::program q = pass::inference(p);
  return p.outputs.size() == 2 && pass::verify(p) == pass::finding() && pass::verify(q) == pass::finding() &&
         count_of(q, ir::opcode::keep_mask) == 0;
}
static_assert(is_summed());

}  // namespace stg
