// sink: a cheap scaling of what is in memory anyway is computed at the edge, and only there.
#include "symbols.hpp"

#include <stg/pass/cse.hpp>
#include <stg/pass/dce.hpp>
#include <stg/pass/sink.hpp>

namespace stg {

constexpr auto narrow = vertex_feature<"narrow">;

constexpr ir::program sunk(auto program) { return pass::dce(pass::sink(pass::cse(trace(program)))); }
constexpr ir::program written(auto program) { return pass::dce(pass::cse(trace(program))); }
constexpr int gathers(auto program) { return count_of(sunk(program), ir::opcode::gather_src); }

static_assert(gathers([](auto v) { return sum(v.in_edges().src(v(narrow) * v(x))); }) == 2);
static_assert(gathers([](auto v) { return sum(v.in_edges().src(v(narrow) * matmul(v(x), W))); }) == 2);
static_assert(gathers([](auto v) { return sum(v.in_edges().src(scalar<"eps"> * v(x))); }) == 1,
              "the graph's value needs no gather");
static_assert(count_of(sunk([](auto v) { return sum(v.in_edges().src(scalar<"eps"> * v(x))); }), ir::opcode::mul) == 1);

// Not where the product is wanted anyway, where both factors are wide, or where the wide one is not in memory.
constexpr auto wanted = [](auto v) {
  auto product = v(narrow) * v(x);
  return outputs(product, sum(v.in_edges().src(product)));
};
constexpr auto wide = [](auto v) { return sum(v.in_edges().src(v(y) * v(x))); };
constexpr auto computed = [](auto v) { return sum(v.in_edges().src(v(narrow) * stg::exp(v(x)))); };
static_assert(sunk(wanted) == written(wanted));
static_assert(sunk(wide) == written(wide));
static_assert(sunk(computed) == written(computed));

// Not where the wide one is the graph's, whose scaled copy is none of a table; nor where a scaling is costly.
constexpr auto of_graph = parameter<"row", 4>;
constexpr auto row = [](auto v) { return sum(v.in_edges().src(v(narrow) * of_graph)); };
constexpr auto power = [](auto v) { return sum(v.in_edges().src(pow(v(x), v(narrow)))); };
constexpr auto quotient = [](auto v) { return sum(v.in_edges().src(v(x) / v(narrow))); };
static_assert(sunk(row) == written(row));
static_assert(sunk(power) == written(power));
static_assert(sunk(quotient) == written(quotient), "a division for each edge costs more than a copy");

// Features of two bytes a number are widened after they were gathered, alone and where they are scaled.
constexpr auto half = vertex_feature<"half", bf16, 4>;
constexpr bool widens_on_edges(auto program, int wide_gathers) {
  const ir::program p = sunk(program);
  int stored = 0, wide = 0, casts = 0;
  for (const ir::statement& s : p.statements) {
    stored += s.code == ir::opcode::gather_src && s.type == bf16;
    wide += s.code == ir::opcode::gather_src && s.type == f32;
    casts += s.code == ir::opcode::cast && s.where == ir::space::edge && s.type == f32 && p.operand(s, 0).type == bf16;
  }
  return stored == 1 && casts == 1 && wide == wide_gathers && count_of(p, ir::opcode::cast) == 1;
}
static_assert(widens_on_edges([](auto v) { return sum(v.in_edges().src(half)); }, 0));
static_assert(widens_on_edges([](auto v) { return sum(v.in_edges().src(v(narrow) * v(half))); }, 1));
// A number that is made of an integer, or that is there anyway, is gathered as it is.
constexpr auto of_labels = [](auto v) { return sum(v.in_edges().src(cast<f32>(v(label)))); };
static_assert(sunk(of_labels) == written(of_labels));

// What is gathered as it was written stays in its scope.
constexpr auto in_scope = [](auto v) { return scope<"layer">(v, [](auto v) { return sum(v.in_edges().src(x)); }); };
constexpr bool scopes_are_kept() {
  for (const ir::statement& s : sunk(in_scope).statements)
    if (s.code != ir::opcode::input && s.scopes == 0) return false;
  return true;
}
static_assert(scopes_are_kept());

}  // namespace stg
