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

}  // namespace stg
