// inference: dropout is the identity when a program is called plainly.
#include "symbols.hpp"

#include <stg/analysis/verify.hpp>
#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/fold.hpp>
#include <stg/pass/inference.hpp>

#include <stg/analysis/verify.hpp>

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

// Where a mask is more than a factor, what it was keeps its rows and axes.
constexpr ir::program of_masks_alone() {
  ir::program p = trace([](auto v) { return dropout(v(x), 0.5); });
  ir::value_id mask = 0;
  while (p[mask].code != ir::opcode::keep_mask) ++mask;
  ir::statement squared = p[mask], gathered = p[mask];
  squared.code = ir::opcode::mul;
  squared.operands[0] = squared.operands[1] = mask;
  gathered.code = ir::opcode::gather_src;
  gathered.where = ir::space::edge;
  gathered.operands[0] = mask;
  for (ir::statement* s : {&squared, &gathered}) {
    s->set_real(0);
    s->set_site(0);
    p.outputs.push_back({p.emit(*s), {}});
  }
  p.outputs.push_back({mask, {}});
  return p;
}
static_assert(pass::verify(of_masks_alone()) == pass::finding());
constexpr bool keep_rows_and_axes() {
  const ir::program p = of_masks_alone(), q = pass::inference(p);
  for (int k = 0; k < p.outputs.size(); ++k)
    if (q[q.outputs[k].at].dims != p[p.outputs[k].at].dims || q[q.outputs[k].at].where != p[p.outputs[k].at].where)
      return false;
  return pass::verify(q) == pass::finding();
}
static_assert(keep_rows_and_axes());

}  // namespace stg
