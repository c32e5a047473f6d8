// Where the elements of a result come from, written by hand.
#include <stg/dsl/symbol.hpp>  // vertex_feature
#include <stg/dsl/trace.hpp>   // trace
#include <stg/op/list.hpp>     // runs_of
#include <stg/pass/value.hpp>  // pad

namespace stg::movements {

constexpr auto a = vertex_feature<"a", 3, 4>;
constexpr auto b = vertex_feature<"b", 3, extent<"F">>;

constexpr bool is(const op::run& r, int operand, ir::extent from, ir::extent to, ir::extent length) {
  return r.operand == operand && r.from == from && r.to == to && r.length == length;
}
constexpr ir::extent number(int n) { return ir::extent(n); }

constexpr bool joins_runs() {
  const ir::program p = trace([](auto v) { return concat<axis<1>>(v(a), v(b)); });
  const ir::statement& s = p[p.outputs[0].at];
  const op::runs r = op::runs_of(p, s);
  const ir::extent f = p.operand(s, 1).dims.axes[1];
  return r.count == 2 && r.fill && is(r.of[0], 0, number(0), number(0), number(4)) &&
         is(r.of[1], 1, number(0), number(4), f);
}
static_assert(joins_runs());

constexpr bool takes_a_run() {
  const ir::program p = trace([](auto v) { return slice<1, 3>(v(a), axis<0>); });
  const op::runs r = op::runs_of(p, p[p.outputs[0].at]);
  return r.count == 1 && r.fill && is(r.of[0], 0, number(1), number(0), number(2));
}
static_assert(takes_a_run());

constexpr bool places_a_run() {
  ir::program p = trace([](auto v) { return v(a); });
  const pass::value x{&p, p.outputs[0].at};
  ir::shape longer = x.dims();
  longer.axes[1] = number(9);
  const pass::value padded = pass::pad(x, 1, number(5), longer);
  const op::runs r = op::runs_of(p, padded.statement());
  return r.count == 1 && !r.fill && is(r.of[0], 0, number(0), number(5), number(4));
}
static_assert(places_a_run());

}  // namespace stg::movements
