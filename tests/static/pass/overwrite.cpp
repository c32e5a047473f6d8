// overwrite: which value takes the memory of one that it is the last to read.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pipeline.hpp>

namespace stg {

/// The operation whose memory a program's last statement takes; input where it takes none.
constexpr ir::opcode taken(auto program) {
  const ir::program p = pass::dce(pass::cse(trace(program)));
  const pass::plan made = pipeline::planned(p);
  const ir::value_id under = made.overwrites[p.size() - 1];
  return under < 0 ? ir::opcode::input : p[under].code;
}
constexpr auto sum_of_sums(auto v) { return sum(v.in_edges().src(sum(v.in_edges().src(x)))); }

// The maximum waits in memory for the second sweep, which reads it once, for the same element of the sum.
static_assert(taken([](auto v) { return sum_of_sums(v) + max(v.in_edges().src(x)); }) == ir::opcode::max_edges);
static_assert(taken([](auto v) { return sum_of_sums(v) + exp(max(v.in_edges().src(x)) * 0.5) * 2.0; }) ==
              ir::opcode::mul);

// Graph values: what is added up lies where the first of it lay.
static_assert(taken([](auto v) { return sum(v(x), all_vertices) + sum(v(y), all_vertices); }) ==
              ir::opcode::sum_vertices);
static_assert(taken([](auto v) { return sum(v(x), all_vertices) * sum(v(x), all_vertices); }) == ir::opcode::input);
static_assert(taken([](auto v) { return sum(v(x), all_vertices) + sum(sum(v(y), all_vertices), axis<0>); }) ==
              ir::opcode::sum_vertices);

// Somebody else has it, or reads it as well.
static_assert(taken([](auto v) {
                auto m = max(v.in_edges().src(x));
                return outputs(m, sum_of_sums(v) + m);
              }) == ir::opcode::input);
static_assert(taken([](auto v) {
                auto m = max(v.in_edges().src(x)), s = sum_of_sums(v);
                return outputs(s * m, s + m);
              }) == ir::opcode::input);
// Neighbours read it: theirs may be needed still.
static_assert(taken([](auto v) { return sum(v.in_edges().src(sum(v.in_edges().src(x)))); }) == ir::opcode::input);
// It has fewer elements than what would be written over it.
static_assert(taken([](auto v) { return sum_of_sums(v) + max(v.in_edges().src(sum(v(x), axis<0>))); }) ==
              ir::opcode::input);

}  // namespace stg
